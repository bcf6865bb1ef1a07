import Testing

@testable import Scenarios

@Suite struct ForeignDeliveriesTests {
    @Test func deliveriesOfOtherSendersAreCounted() {
        ForeignDeliveries.delivered(from: 1)
        ForeignDeliveries.begin(sender: 2)
        #expect(ForeignDeliveries.count == 0)
        ForeignDeliveries.delivered(from: 2)
        ForeignDeliveries.delivered(from: 0)
        ForeignDeliveries.delivered(from: 1)
        #expect(ForeignDeliveries.count == 2)
        ForeignDeliveries.end()
        ForeignDeliveries.delivered(from: 0)
        #expect(ForeignDeliveries.count == 2)
    }
}
