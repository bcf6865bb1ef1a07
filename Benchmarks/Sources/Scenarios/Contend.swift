import BenchmarkKit
import Corinth

/// `contend/N`: N threads send to one signal as fast as they can; one observer.
enum Contend {
    static func entry(threads: Int) -> ScenarioEntry {
        ScenarioEntry(
            "contend/\(threads)",
            sampleMilliseconds: 40,
            isThreaded: true,
            threads: threads,
            direct: { _ in ContendDirect(threads: threads) },
            library: { _ in ContendCorinth(threads: threads) })
    }
}

private final class ContendCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let arrivals = Arrivals()
    private let team: ThreadTeam
    private let threads: Int
    private var sentByEach = 0

    init(threads: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        self.threads = threads
        team = ThreadTeam(count: threads)
        output.observeValues { [arrivals] in arrivals.add($0) }
    }

    var granularity: Int { threads }

    func run(events: Int) {
        let numbers = sentByEach..<sentByEach + events / threads
        team.run { [input] sender in
            for number in numbers { input.send(value: Stamped.value(sender: sender, number: number)) }
        }
        sentByEach = numbers.upperBound
        arrivals.wait(for: sentByEach * threads)
    }

    func verify() throws {
        try arrivals.verify(sentByEach: sentByEach, senders: threads)
    }

    func tearDown() {
        team.end()
        input.sendCompleted()
    }
}

/// The same threads call the observer under a pthread mutex.
private final class ContendDirect: Scenario {
    private let observe: @Sendable (Int) -> Void
    private let arrivals = Arrivals()
    private let team: ThreadTeam
    private let threads: Int
    private var sentByEach = 0

    init(threads: Int) {
        self.threads = threads
        team = ThreadTeam(count: threads)
        observe = opaqueObserver { [arrivals] in arrivals.add($0) }
    }

    var granularity: Int { threads }

    func run(events: Int) {
        let numbers = sentByEach..<sentByEach + events / threads
        team.run { [observe] sender in
            for number in numbers {
                let value = Stamped.value(sender: sender, number: number)
                PlainMutex.withLock { observe(value) }
            }
        }
        sentByEach = numbers.upperBound
    }

    func verify() throws {
        try arrivals.verify(sentByEach: sentByEach, senders: threads)
    }

    func tearDown() {
        team.end()
    }
}
