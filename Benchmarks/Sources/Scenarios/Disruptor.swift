import BenchmarkKit
import Corinth

/// `disruptor/…`: the thread topologies of LMAX's Disruptor benchmarks, on thread schedulers. The direct side has rings and
/// threads written by hand. All threads spin, and yield if the wait is long.
enum Disruptor {
    static let oneToOne = entry(
        "1p1c",
        direct: { .init(ends: 1, oneOnOneDirect) }, library: { .init(ends: 1, oneOnOne) })

    static let entries = [
        oneToOne,
        entry(
            "3p1c", threads: 3,
            direct: { .init(senders: 3, ends: 1, oneOnOneDirect) }, library: { .init(senders: 3, ends: 1, oneOnOne) }),
        entry(
            "1p3c",
            direct: { .init(ends: 3, multicastDirect) }, library: { .init(ends: 3, multicast) }),
        entry(
            "pipeline",
            direct: { .init(ends: 1, pipelineDirect) }, library: { .init(ends: 1, pipeline) }),
        entry(
            "diamond",
            direct: { .init(ends: 1, diamondDirect) }, library: { .init(ends: 1, diamond) }),
    ]

    private static func entry(
        _ name: String, threads: Int = 1, direct: @escaping @Sendable () -> DisruptorScenario,
        library: @escaping @Sendable () -> DisruptorScenario
    ) -> ScenarioEntry {
        ScenarioEntry(
            "disruptor/\(name)", sampleMilliseconds: 20, isThreaded: true, threads: threads, direct: { _ in direct() },
            library: { _ in library() })
    }

    // MARK: On thread schedulers

    private static func thread(_ name: String) -> ThreadScheduler {
        ThreadScheduler(name: "bench.\(name)", waiting: .spinThenYield)
    }

    /// From any number of senders to one thread.
    private static func oneOnOne(_ ends: [Arrivals]) -> DisruptorInput {
        let (output, input) = Signal<Int, Never>.pipe()
        output.observe(on: thread("consumer")).observeValues { [end = ends[0]] in end.add($0) }
        return DisruptorInput(input)
    }

    /// To three threads, each of which receives every value.
    private static func multicast(_ ends: [Arrivals]) -> DisruptorInput {
        let (output, input) = Signal<Int, Never>.pipe()
        for (index, end) in ends.enumerated() {
            output.observe(on: thread("consumer \(index)")).observeValues { end.add($0) }
        }
        return DisruptorInput(input)
    }

    /// Through three threads, one after the other.
    private static func pipeline(_ ends: [Arrivals]) -> DisruptorInput {
        let (output, input) = Signal<Int, Never>.pipe()
        output.observe(on: thread("first")).map { $0 + 1 }
            .observe(on: thread("second")).map { $0 + 1 }
            .observe(on: thread("third")).observeValues { [end = ends[0]] in end.add($0 - 2) }
        return DisruptorInput(input)
    }

    /// To two threads, and from both to a third, which receives each value after both have processed it.
    private static func diamond(_ ends: [Arrivals]) -> DisruptorInput {
        let (output, input) = Signal<Int, Never>.pipe()
        let left = output.observe(on: thread("left")).map { 2 * $0 }
        let right = output.observe(on: thread("right")).map { 3 * $0 }
        left.zip(with: right).observe(on: thread("both"))
            .observeValues { [end = ends[0]] in end.add(($0.1 - $0.0) + (3 * $0.0 - 2 * $0.1)) }
        return DisruptorInput(input)
    }

    // MARK: Rings and threads by hand

    private static func ring() -> PlainRing { PlainRing(capacity: 65_536) }

    private static func oneOnOneDirect(_ ends: [Arrivals]) -> DisruptorInput {
        let ring = ring()
        let observe = opaqueObserver { [end = ends[0]] in end.add($0) }
        PlainRing.serve(ring, observe)
        return DisruptorInput([ring])
    }

    private static func multicastDirect(_ ends: [Arrivals]) -> DisruptorInput {
        let rings = ends.map { end in
            let ring = ring()
            let observe = opaqueObserver { end.add($0) }
            PlainRing.serve(ring, observe)
            return ring
        }
        return DisruptorInput(rings)
    }

    private static func pipelineDirect(_ ends: [Arrivals]) -> DisruptorInput {
        let (first, second, third) = (ring(), ring(), ring())
        PlainRing.serve(first) { second.push($0 + 1) }
        PlainRing.serve(second) { third.push($0 + 1) }
        let observe = opaqueObserver { [end = ends[0]] in end.add($0 - 2) }
        PlainRing.serve(third, observe)
        return DisruptorInput([first], others: [second, third])
    }

    private static func diamondDirect(_ ends: [Arrivals]) -> DisruptorInput {
        let (left, right, fromLeft, fromRight) = (ring(), ring(), ring(), ring())
        PlainRing.serve(left) { fromLeft.push(2 * $0) }
        PlainRing.serve(right) { fromRight.push(3 * $0) }
        let observe = opaqueObserver { [end = ends[0]] in end.add($0) }
        PlainRing.start {
            while true {
                let one = fromLeft.pop()
                if one == PlainRing.end { return }
                let other = fromRight.pop()
                observe((other - one) + (3 * one - 2 * other))
            }
        }
        return DisruptorInput([left, right], others: [fromLeft])
    }
}

/// The input of a topology.
final class DisruptorInput: Sendable {
    let send: @Sendable (Int) -> Void
    let end: @Sendable () -> Void

    init(_ input: Signal<Int, Never>.Observer) {
        send = { input.send(value: $0) }
        end = { input.sendCompleted() }
    }

    /// - Parameters:
    ///   - rings: The rings that every value is pushed to.
    ///   - others: Further rings that threads read.
    init(_ rings: [PlainRing], others: [PlainRing] = []) {
        if rings.count == 1 {
            send = { [ring = rings[0]] in ring.push($0) }
        } else {
            send = { value in for ring in rings { ring.push(value) } }
        }
        end = { for ring in rings + others { ring.push(PlainRing.end) } }
    }
}

/// Threads that send, and a wait until all values have arrived at each end.
final class DisruptorScenario: Scenario {
    /// The largest number of values in flight: half of the rings' capacity, so that the memory stays in the caches.
    private static let window = 32_768

    private let team: ThreadTeam?
    private let senders: Int
    private let ends: [Arrivals]
    private let input: DisruptorInput
    private var sentByEach = 0

    init(senders: Int = 1, ends: Int, _ arrange: ([Arrivals]) -> DisruptorInput) {
        self.senders = senders
        self.ends = (0..<ends).map { _ in Arrivals() }
        team = senders > 1 ? ThreadTeam(count: senders) : nil
        input = arrange(self.ends)
    }

    var granularity: Int { senders }

    func run(events: Int) {
        var left = events / senders
        while left > 0 {
            let count = min(left, DisruptorScenario.window / senders)
            send(sentByEach..<sentByEach + count)
            left -= count
            sentByEach += count
            for end in ends { end.wait(for: sentByEach * senders) }
        }
    }

    private func send(_ numbers: Range<Int>) {
        let send = input.send
        guard let team else {
            for number in numbers { send(Stamped.value(sender: 0, number: number)) }
            return
        }
        team.run { sender in for number in numbers { send(Stamped.value(sender: sender, number: number)) } }
    }

    func verify() throws {
        for end in ends { try end.verify(sentByEach: sentByEach, senders: senders) }
    }

    func tearDown() {
        input.end()
        team?.end()
    }
}
