import Foundation
import Synchronization

// Tests/Optimised has a link to this file, and to the functions in C.
#if canImport(CAudit)
    import CAudit
#else
    import CTestSupport
#endif

/// Long-lived objects that threads share, and how many references each of them had at the beginning. Each gets references to
/// spare: an optimised program that loses some would crash otherwise, at some other place and later.
@safe struct Audited {  // The addresses are those of objects that are never released.
    /// An object that has more or fewer references than at the beginning.
    struct Drift: CustomStringConvertible {
        let name: String
        let count: Int64

        var description: String {
            "\(name) has \(count > 0 ? "gained" : "lost") \(count.magnitude) reference\(count.magnitude == 1 ? "" : "s")"
        }
    }

    private static let spare: UInt32 = 10_000_000

    /// An object that was ever added. A search for leaks finds it here, and by a weak reference its counts: once there was one,
    /// they lie in memory to which the object doesn't point as a pointer does.
    private struct Kept {
        let object: any AnyObject & Sendable
        weak var weakly: (any AnyObject & Sendable)?
    }

    private static let all = Mutex<[Kept]>([])

    private var objects: [(name: String, address: UnsafeMutableRawPointer, count: UInt64)] = unsafe []

    /// Adds an object, which is never released.
    ///
    /// - Parameter isWeak: Whether the program refers to it weakly, too. Such an object counts in another way.
    mutating func add(_ name: String, _ object: any AnyObject & Sendable, isWeak: Bool = false) {
        Audited.all.withLock { $0.append(Kept(object: object, weakly: isWeak ? object : nil)) }
        let address = unsafe Unmanaged.passUnretained(object).toOpaque()
        unsafe audit_spare(address, Audited.spare)
        unsafe objects.append((name, address, 0))
    }

    /// Notes how many references there are now. Nobody else uses the objects meanwhile.
    mutating func begin() {
        for index in unsafe objects.indices {
            unsafe objects[index].count = audit_count(objects[index].address)
        }
    }

    private var drifts: [Drift] {
        unsafe objects.compactMap { object in
            let drift = unsafe Int64(bitPattern: audit_count(object.address) &- object.count)
            return unsafe drift == 0 ? nil : Drift(name: object.name, count: drift)
        }
    }

    /// The drifts when what still runs on schedulers has ended: when there are none, or they haven't changed for two seconds, at the
    /// latest after `seconds`.
    ///
    /// - Parameter advance: Called meanwhile, again and again.
    func settledDrifts(within seconds: Double = 10, advance: () -> Void = {}) -> [Drift] {
        let start = ContinuousClock.now
        var (seen, since) = (drifts, start)
        while !seen.isEmpty, ContinuousClock.now < min(since + .seconds(2), start + .seconds(seconds)) {
            advance()
            usleep(10_000)
            let now = drifts
            if now.map(\.count) != seen.map(\.count) { since = .now }
            seen = now
        }
        return seen
    }

    var count: Int { unsafe objects.count }

    /// A seeded bug: retains and releases an object as a thread does that believes to be alone, many times.
    static func lose(_ object: any AnyObject & Sendable) {
        for _ in 0..<10_000 { unsafe audit_lose(Unmanaged.passUnretained(object).toOpaque()) }
    }
}
