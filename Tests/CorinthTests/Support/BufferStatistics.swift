import Testing

@testable import Corinth

extension BufferStatistics {
    /// Expects these counts, and that the other values wait.
    func expect(sent: Int, delivered: Int, dropped: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(self.sent == sent, sourceLocation: location)
        #expect(self.delivered == delivered, sourceLocation: location)
        #expect(self.dropped == dropped, sourceLocation: location)
        #expect(waiting == sent - delivered - dropped, sourceLocation: location)
    }
}
