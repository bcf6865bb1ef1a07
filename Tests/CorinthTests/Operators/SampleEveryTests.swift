import Corinth
import CorinthTesting
import Dispatch
import Testing

struct SampleEveryTests {
    @Test func latestOnce() {
        #expect(marbles(cold: "ab--c--------d|") { $0.sample(every: .seconds(3), on: $1) } == "---b--c--------(d|)")
    }

    @Test func completionWithNothingToSend() {
        #expect(marbles(cold: "ab--|") { $0.sample(every: .seconds(3), on: $1) } == "---b|")
    }

    @Test func failure() {
        #expect(marbles(cold: "ab#") { $0.sample(every: .seconds(3), on: $1) } == "--#")
    }
}
