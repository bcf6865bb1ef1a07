import CTestSupport
import Testing

@testable import Corinth

@Suite("The library's own threads")
struct ThreadTests {
    private final class Captured: Sendable {
        let runs = Atomic(0)
    }

    @Test(.enabled(if: test_counts_allocations()))
    func `A thread for which there is no memory isn't started, and what it would have run is released`() {
        weak var released: Captured?
        do {
            let captured = Captured()
            released = captured
            let body = { @Sendable in captured.runs.modify { $0 += 1 } }
            test_fail_next_calloc()
            #expect(!Thread.tryStart(named: "corinth.test", body))
            #expect(captured.runs.value == 0)
        }
        #expect(released == nil)
    }

    /// What a thread has seen. Not an ``Atomic``, which asks for the thread's number.
    private final class Seen: @unchecked Sendable {
        var words: [UInt64] = []
    }

    /// Otherwise the inspector doesn't find a thread that blocks in the first delivery of its life. A debug build notes the owner of
    /// each strand, so only an optimised one can fail here.
    @Test func `A thread has its number in the first observer that it calls`() {
        let pipe = Signal<Int, Never>.pipe()
        let seen = Seen()
        pipe.output.observeValues { _ in seen.words.append(ThreadState.current.bias) }
        ThreadGroup.run(1) { _ in
            seen.words.append(ThreadState.current.bias)
            pipe.input.send(value: 1)
        }
        #expect(seen.words.map { $0 == BiasedWord.biased } == [true, false])
        withExtendedLifetime(pipe) {}
    }
}
