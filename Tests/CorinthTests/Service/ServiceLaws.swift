import Corinth
import Foundation

/// The laws that a service is judged by, and what broke them.
final class ServiceLaws: @unchecked Sendable {  // The lock guards the rest.
    enum Law: String, CaseIterable {
        case grammar = "E1, E2: events are serial, and none comes after an end"
        case order = "E4, C3: the order of each sender"
        case loss = "X2, E6: nothing is lost that is promised"
        case actions = "A1: one execution of an action at a time"
        case release = "S3, P5: everything is released"
        case references = "S3: shared objects gain and lose no references"
        case memory = "X2: live objects and memory don't grow"
    }

    struct Violation: CustomStringConvertible {
        let law: Law
        let text: String
        var description: String { "\(law.rawValue): \(text)" }
    }

    private let lock = NSLock()
    private var checks: [Law: Int] = [:]
    private var broken: [Law: Int] = [:]
    private var first: [Violation] = []

    func expect(_ law: Law, _ holds: Bool, _ text: @autoclosure () -> String) {
        lock.withLock {
            checks[law, default: 0] += 1
            if holds { return }
            broken[law, default: 0] += 1
            // The first ones say most.
            if first.count(where: { $0.law == law }) < 3 { first.append(Violation(law: law, text: text())) }
        }
    }

    /// How often a law was checked, and how often it was broken.
    func counts(of law: Law) -> (checks: Int, broken: Int) {
        lock.withLock { (checks[law, default: 0], broken[law, default: 0]) }
    }

    /// The first ones of each law.
    var violations: [Violation] { lock.withLock { first } }

    /// An observer that checks the grammar, and that no two callbacks overlap.
    ///
    /// - Parameters:
    ///   - value: Called with each value.
    ///   - ended: Called with the end.
    func observer<Value>(
        _ name: String, value: sending @escaping (Value) -> Void,
        ended: sending @escaping (Signal<Value, Never>.Event) -> Void = { _ in }
    ) -> Signal<Value, Never>.Observer {
        let (isInside, hasEnded) = (Atomic(false), Atomic(false))
        return Signal<Value, Never>.Observer { event in
            self.expect(.grammar, !isInside.swap(true), "two callbacks of \(name) overlap")
            self.expect(.grammar, !hasEnded.value, "\(name) sends something after its end")
            if let sent = event.value {
                value(sent)
            } else {
                hasEnded.value = true
                ended(event)
            }
            isInside.value = false
        }
    }
}

/// What a stream of requests has had of each connection. The stream's owner uses it.
final class ServiceOrder: @unchecked Sendable {  // Callbacks of a stream are serial.
    private struct Seen {
        var count = 0
        var last = -1
    }

    private let laws: ServiceLaws
    private let name: String
    private var seen: [Int: Seen] = [:]

    init(_ laws: ServiceLaws, _ name: String) {
        self.laws = laws
        self.name = name
    }

    /// Checks that the numbers of a connection rise.
    func add(_ number: Int, of link: Int) {
        var entry = seen[link] ?? Seen()
        laws.expect(
            .order, number > entry.last, "in \(name), request \(number) of connection \(link) comes after \(entry.last)"
        )
        entry.count += 1
        entry.last = max(entry.last, number)
        seen[link] = entry
        forget()
    }

    /// Forgets the oldest connections. For streams that don't have their ends.
    private func forget() {
        if seen.count < 512 { return }
        for link in seen.keys.sorted().prefix(256) { seen[link] = nil }
    }

    /// A connection has ended. Forgets it.
    ///
    /// - Returns: How many of its requests have come, and how many there are up to the last one.
    func end(_ link: Int) -> (count: Int, upToLast: Int) {
        let entry = seen.removeValue(forKey: link) ?? Seen()
        return (entry.count, entry.last + 1)
    }
}
