import Corinth
import CorinthTesting
import Dispatch
import Testing

/// State that belongs to a scheduler.
struct ConfinedTests {
    private struct Journal {
        var lines: [String] = []
    }

    @Test func `C5: what is sent and what is scheduled reaches the state in order`() throws {
        let scheduler = QueueScheduler(name: "journal")
        let journal = Confined(on: scheduler, Journal())
        let (values, input) = Signal<Int, Never>.pipe()
        values.observeValues(in: journal) { journal, value in journal.lines.append("value \(value)") }
        values.observe(in: journal) { journal, event in
            if case .completed = event { journal.lines.append("end") }
        }
        input.send(value: 1)
        journal.schedule { $0.lines.append("action") }
        input.send(value: 2)
        input.sendCompleted()
        let lines = try #require(journal.perform { $0.lines }.single()).get()
        #expect(lines == ["value 1", "action", "value 2", "end"])
    }

    @Test func `Starts send to the state, and each start of an action performs it`() async {
        let sum = Confined(on: ThreadScheduler(name: "sum"), 0)
        SignalProducer<Int, Never>([1, 2, 3]).startWithValues(in: sum) { $0 += $1 }
        SignalProducer<Int, TestError>(error: .first).start(in: sum) { sum, event in
            if case .failed = event { sum += 100 }
        }
        let next = sum.perform { sum in
            sum += 1
            return sum
        }
        #expect(await next.firstValue() == 107)
        #expect(await next.firstValue() == 108)
    }

    @Test func `C1: many threads change the state, one at a time`() throws {
        let counts = Confined(on: QueueScheduler(name: "counts"), [Int: Int]())
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<1_000 { counts.schedule { $0[thread, default: 0] += 1 } }
        }
        let found = try #require(counts.perform { $0 }.single()).get()
        #expect(found == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 1_000) }))
    }

    @Test func `An action that is disposed of before it begins doesn't reach the state`() {
        let scheduler = TestScheduler()
        let state = Confined(on: scheduler, 0)
        let seen = Atomic<[Int]>([])
        state.schedule { $0 += 1 }?.dispose()
        let start = state.perform { $0 += 1 }.start()
        start.dispose()
        state.perform { $0 }.startWithValues { value in seen.modify { $0.append(value) } }
        scheduler.advance()
        #expect(seen.value == [0])
    }

    @Test func `A scheduler that runs an action inside another one stops the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let state = Confined(on: ImmediateScheduler(), 0)
            state.schedule { _ in state.schedule { $0 += 1 } }
        }
        #expect(result.says("a ImmediateScheduler has run an action of Confined<Int> beside or inside another one"))
    }
}
