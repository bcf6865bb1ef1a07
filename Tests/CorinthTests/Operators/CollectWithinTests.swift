import Corinth
import CorinthTesting
import Dispatch
import Testing

struct CollectWithinTests {
    @Test func byCountAndTime() {
        #expect(marbles(cold: "abc--d----e---|") { $0.collect(count: 2, within: 3, on: $1) } == "-[ab]---[cd]-------e|")
        #expect(marbles(cold: "abc-----d|") { $0.collect(count: 2, within: 3, on: $1) } == "-[ab]---c---(d|)")
    }

    @Test func severalAtOnce() {
        #expect(marbles(cold: "(abcde)-----|") { $0.collect(count: 2, within: 3, on: $1) } == "([ab][cd])--e--|")
        #expect(marbles(cold: "(abcde|)") { $0.collect(count: 2, within: 3, on: $1) } == "([ab][cd]e|)")
    }

    @Test func failure() {
        #expect(marbles(cold: "abc#") { $0.collect(count: 2, within: 3, on: $1) } == "-[ab]-#")
    }
}
