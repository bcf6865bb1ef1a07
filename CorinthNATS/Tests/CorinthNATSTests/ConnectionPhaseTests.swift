import Testing

@testable import CorinthNATS

/// Who is told what about a connection, whatever happens at the same time. No server is needed.
struct ConnectionPhaseTests {
    typealias Phase = ConnectionPhase<Int>

    static let unreachable = NATSError.unreachable("nats://a")
    static let other = NATSError.timedOut("b")

    /// What a new member is told.
    private func admission(_ phase: inout Phase, _ member: Int) -> String {
        switch phase.attach(member).1 {
        case .waits: "waits"
        case .open: "open"
        case .closed(let reason): "closed \(reason == nil ? "" : "\(reason!)")"
        }
    }

    private func drained(_ phase: inout Phase) -> [Int]? {
        switch phase.drain() {
        case .notOpen: nil
        case .members(let members): members.sorted()
        case .begun: []
        }
    }

    @Test func `Members are told in order, also those that come meanwhile, and those that have left aren't`() {
        var phase = Phase()
        for member in 1...5 { #expect(admission(&phase, member) == "waits") }
        #expect(phase.detach(2) == 2)
        #expect(phase.detach(2) == nil)
        #expect(phase.openMembers == [])
        #expect(phase.openNext() == [1, 3, 4, 5])
        // They are being told.
        #expect(admission(&phase, 6) == "waits")
        #expect(admission(&phase, 7) == "waits")
        #expect(phase.openMembers == [])
        #expect(phase.detach(6) == 6)
        #expect(phase.openNext() == [7])
        #expect(phase.openNext() == [])
        #expect(admission(&phase, 8) == "open")
        #expect(phase.openMembers.sorted() == [1, 3, 4, 5, 7, 8])
        #expect(phase.openNext() == [])
    }

    @Test func `Members are told of the end once, in order, and those that come later at once`() {
        var phase = Phase()
        for member in 1...40 { #expect(admission(&phase, member) == "waits") }
        #expect(phase.close(Self.other) == Array(1...40))
        #expect(phase.close(nil) == nil)
        #expect(phase.isClosed && phase.reason == Self.other)
        #expect(admission(&phase, 41) == "closed \(Self.other)")
        #expect(phase.openNext() == [])
        #expect(phase.openMembers == [])
        #expect(phase.detach(1) == nil)
        #expect(drained(&phase) == [])
        #expect(phase.reason == Self.other)
    }

    @Test func `Members do their last work once, if there is a connection`() {
        var phase = Phase()
        #expect(admission(&phase, 1) == "waits")
        #expect(drained(&phase) == nil)
        #expect(!phase.isDraining)
        #expect(phase.openNext() == [1])
        #expect(phase.openNext() == [])
        #expect(drained(&phase) == [1])
        #expect(phase.isDraining && phase.isAsked)
        #expect(drained(&phase) == [])
        // They still send and receive, and a server may be lost.
        #expect(admission(&phase, 2) == "open")
        #expect(phase.openMembers.sorted() == [1, 2])
        #expect(phase.close(nil) == [1, 2])
        #expect(!phase.isDraining && phase.isClosed)
    }

    @Test func `An end that the program has asked for is no error, whatever else has happened`() {
        var phase = Phase()
        #expect(phase.reason == nil && !phase.isAsked)
        phase.giveUp(Self.unreachable)
        #expect(phase.reason == Self.unreachable)
        phase.giveUp(Self.other)
        #expect(phase.reason == Self.unreachable)
        phase.ask()
        #expect(phase.reason == nil && phase.isAsked)
        phase.giveUp(Self.unreachable)
        #expect(phase.reason == nil && phase.isAsked)
    }
}
