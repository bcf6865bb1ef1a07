import Testing

@testable import Corinth

struct CountdownTests {
    @Test func sums() {
        var countdown = Countdown()
        countdown.count(from: 4)
        #expect(countdown.sum == 10)
    }

    @Test func nothingBelowOne() {
        var countdown = Countdown()
        countdown.count(from: -3)
        #expect(countdown.sum == 0)
    }
}
