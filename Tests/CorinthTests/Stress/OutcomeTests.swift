import Corinth
import Testing

/// Small races that run many times, with tables of accepted outcomes.
@Suite("Stress: outcomes", .serialized)
struct OutcomeTests {
    /// The events that an observer received.
    final class Log<Element>: @unchecked Sendable {  // The signal serialises its callbacks (law E2).
        var seen: [Element] = []
    }

    /// A signal and the events that one observer received.
    final class Subject: Sendable {
        let output: Signal<Int, Never>
        let input: Signal<Int, Never>.Observer
        let disposal = Counter()
        let log = Log<String>()
        let ended = Atomic(false)
        let observation: (any Disposable)?

        init() {
            let (disposal, log, ended) = (disposal, log, ended)
            (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.increment() })
            observation = output.observe { event in
                log.seen.append("\(event)")
                if event.isTerminating { ended.value = true }
            }
        }

        /// Waits until every sent event has been delivered. After an end or a disposal, a worker may still deliver.
        func settle() {
            let isThrough = Atomic(false)
            output.observe { if $0.value == 99 || $0.isTerminating { isThrough.value = true } }
            input.send(value: 99)
            #expect(Stress.eventually { isThrough.value })
        }

        /// Waits until the end has been delivered.
        func settleEnd() { #expect(Stress.eventually { ended.value && disposal.value == 1 }) }

        var seen: [String] { log.seen }
    }

    @Test func `E2, E4: the values of two senders are serialised, and each sender's stay in order`() {
        expectOutcomes(
            [
                ["VALUE 1", "VALUE 2", "VALUE 10"]: "the first is faster",
                ["VALUE 1", "VALUE 10", "VALUE 2"]: "the second comes in between",
                ["VALUE 10", "VALUE 1", "VALUE 2"]: "the second is faster",
            ],
            of: Subject.init,
            actors: [
                { subject in for number in 1...2 { subject.input.send(value: number) } },
                { subject in subject.input.send(value: 10) },
            ],
            arbiter: \.seen)
    }

    @Test func `E1: of a value and two ends, one end is delivered, and the value only before it`() {
        expectOutcomes(
            [
                ["VALUE 1", "COMPLETED"]: "the value is first",
                ["VALUE 1", "INTERRUPTED"]: "the value is first",
                ["COMPLETED"]: "the value is too late",
                ["INTERRUPTED"]: "the value is too late",
            ],
            of: Subject.init,
            actors: [
                { $0.input.send(value: 1) },
                { $0.input.sendCompleted() },
                { $0.input.sendInterrupted() },
            ],
            arbiter: { subject in
                subject.settleEnd()
                return subject.seen
            })
    }

    @Test func `E7: a value is delivered before its observer's dispose() or not at all`() {
        expectOutcomes(
            [
                []: "disposed of first",
                ["VALUE 1"]: "disposed of after the first value",
                ["VALUE 1", "VALUE 2"]: "disposed of last",
            ],
            of: Subject.init,
            actors: [
                { subject in for number in 1...2 { subject.input.send(value: number) } },
                { $0.observation?.dispose() },
            ],
            arbiter: { subject in
                subject.settle()
                return subject.seen
            })
    }

    @Test func `S4: an observer that is added while the signal ends receives one end`() {
        expectOutcomes(
            [
                ["COMPLETED", "COMPLETED"]: "it is added first",
                ["COMPLETED", "INTERRUPTED"]: "it is added after the end",
                ["INTERRUPTED", "COMPLETED"]:
                    "it is added after the end, and is told before the other receives the end",
            ],
            of: { (subject: Subject(), late: Log<String>(), ended: Atomic(false)) },
            actors: [
                { $0.subject.input.sendCompleted() },
                { state in
                    state.subject.output.observe {
                        state.late.seen.append("\($0)")
                        state.ended.value = true
                    }
                },
            ],
            arbiter: { state in
                state.subject.settleEnd()
                #expect(Stress.eventually { state.ended.value })
                return state.subject.seen + state.late.seen
            })
    }

    @Test func `A disposable that is added while the composite is disposed of is disposed of once`() {
        expectOutcomes(
            [[1, 1]: "in either order"],
            of: { (composite: CompositeDisposable(), runs: [Counter(), Counter()]) },
            actors: [
                { state in
                    for runs in state.runs { state.composite.add { runs.increment() } }
                },
                { $0.composite.dispose() },
            ],
            arbiter: { $0.runs.map(\.value) })
    }

    /// Two inputs of one signal, and the events that an observer received.
    final class Pair: Sendable {
        let inputs: [Signal<Int, Never>.Observer]
        let log = Log<Int>()
        private let hasEnded = Flag()

        init(_ combine: (Signal<Int, Never>, Signal<Int, Never>) -> Signal<(Int, Int), Never>) {
            let left = Signal<Int, Never>.pipe()
            let right = Signal<Int, Never>.pipe()
            inputs = [left.input, right.input]
            let (log, hasEnded) = (log, hasEnded)
            let result = combine(left.output, right.output)
            result.observeCompleted { hasEnded.raise() }
            result.observeValues { log.seen.append($0 * 10 + $1) }
        }

        /// A worker may still deliver what was handed over.
        var seen: [Int] {
            _ = Stress.eventually { hasEnded.isRaised }
            return log.seen
        }

        func send(_ values: [Int], to side: Int) {
            for value in values { inputs[side].send(value: value) }
            inputs[side].sendCompleted()
        }
    }

    @Test func `combineLatest with senders on two threads ends with the latest pair`() {
        expectOutcomes(
            [
                [11, 21]: "the second value of the left is last",
                [21]: "the right is last",
            ],
            of: { Pair { $0.combineLatest(with: $1) } },
            actors: [{ $0.send([1, 2], to: 0) }, { $0.send([1], to: 1) }],
            arbiter: \.seen)
    }

    @Test func `zip with senders on two threads emits one pair`() {
        expectOutcomes(
            [[11]: "in either order"],
            of: { Pair { $0.zip(with: $1) } },
            actors: [{ $0.send([1, 2], to: 0) }, { $0.send([1], to: 1) }],
            arbiter: \.seen)
    }
}
