import CorinthTesting
import Foundation
import Testing

@testable import CorinthNATS

/// What a start of a consumer does, whatever the network and the server do. No server is needed.
struct PullStateTests {
    /// A start, its observers, and a server at random: requests and messages are lost, inboxes end and begin at the same time, and
    /// what is settled, given back or left is for chance to say.
    private struct World {
        /// An inbox is its number.
        typealias State = PullState<Int, Int>

        struct Request {
            let inbox: Int
            var count: Int
        }

        struct Arrival {
            let message: Int
            let inbox: Int
        }

        let places: Int
        let count: Int
        var random: SeededGenerator
        var state: State

        // The server.
        var pending: [Int]
        /// Those that it sends messages to.
        var subscribed: Set<Int> = []
        var requests: [Request] = []

        // On their way.
        var arrivals: [Arrival] = []
        /// Of requests that have expired: what hasn't come, and the inbox.
        var expiries: [Request] = []

        // The start.
        /// Inboxes that are being made.
        var making: [Int] = []
        /// Inboxes that have ended here. The server doesn't know yet, and nobody has called `hasEnded()`. nil stands for none.
        var ended: [Int?] = []
        /// What the observers have.
        var held: [Int] = []
        var acknowledged: Set<Int> = []
        var givenBack = 0
        /// How often it was said that nothing is held any more.
        var drained = 0

        init(seed: UInt64, places: Int, count: Int) {
            self.places = places
            self.count = count
            random = SeededGenerator(seed: seed)
            state = State(places: places, failureLimit: 1)
            pending = Array(0..<count)
        }

        // MARK: The start

        mutating func begin() {
            guard let (number, old) = state.begin() else { return }
            making.append(number)
            ended.append(old)
        }

        /// One of the threads that end an inbox goes on: the server hears of it, then the start does.
        mutating func endOne() {
            guard !ended.isEmpty else { return }
            if let inbox = ended.remove(at: Int.random(in: ended.indices, using: &random)) {
                subscribed.remove(inbox)
                requests.removeAll { $0.inbox == inbox }
            }
            for message in state.hasEnded() { giveBackNow(message) }
        }

        mutating func makeOne() {
            guard !making.isEmpty else { return }
            let inbox = making.remove(at: Int.random(in: making.indices, using: &random))
            if state.open(inbox, inbox) {
                subscribed.insert(inbox)
                request()
            }
        }

        mutating func request() {
            guard let request = state.request() else { return }
            #expect(state.isCurrent(request.number))
            requests.append(Request(inbox: request.inbox, count: request.count))
            let owed = requests.filter { $0.inbox == request.number }.map(\.count).reduce(0, +)
            let taken = owed + arrivals.count { $0.inbox == request.number } + held.count
            #expect(taken <= places)
        }

        mutating func giveBackNow(_ message: Int) {
            #expect(!ended.contains { $0 != nil }, "the server may send it there again")
            givenBack += 1
            pending.append(message)
            release()
        }

        mutating func giveBack(_ message: Int, atDisposal isLast: Bool) {
            if state.giveBack(message, atDisposal: isLast) { giveBackNow(message) }
        }

        mutating func release() {
            if state.release() != nil { drained += 1 }
            request()
        }

        mutating func arrive() {
            // In order for each inbox.
            guard let inbox = arrivals.randomElement(using: &random)?.inbox,
                let index = arrivals.firstIndex(where: { $0.inbox == inbox })
            else { return }
            let message = arrivals.remove(at: index).message
            let isCurrent = state.isCurrent(inbox)
            let isReceived = state.receive(inbox)
            // What comes to an inbox that has ended was not asked for by the one that counts.
            #expect(isReceived == isCurrent)
            if isReceived { held.append(message) } else { giveBack(message, atDisposal: false) }
        }

        mutating func settle() {
            guard !held.isEmpty else { return }
            let message = held.remove(at: Int.random(in: held.indices, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                // The observers give it back, or let it go.
                pending.append(message)
                release()
            default:
                #expect(acknowledged.insert(message).inserted)
                release()
            }
        }

        // MARK: The server

        mutating func deliver() {
            guard !pending.isEmpty, let index = requests.indices.randomElement(using: &random) else { return }
            let message = pending.removeFirst()
            arrivals.append(Arrival(message: message, inbox: requests[index].inbox))
            requests[index].count -= 1
            if requests[index].count == 0 { requests.remove(at: index) }
        }

        mutating func expire() {
            guard let index = requests.indices.randomElement(using: &random) else { return }
            expiries.append(requests.remove(at: index))
        }

        mutating func hearOfExpiry() {
            guard !expiries.isEmpty else { return }
            let request = expiries.removeFirst()
            state.expire(request.count, request.inbox)
            self.request()
        }

        /// The connection is lost, and comes again.
        mutating func lose() {
            pending += arrivals.map(\.message)
            arrivals = []
            expiries = []
            requests = []
            begin()
        }

        mutating func step() {
            switch Int.random(in: 0..<60, using: &random) {
            case 0..<12: deliver()
            case 12..<24: arrive()
            case 24..<36: settle()
            case 36..<42: makeOne()
            case 42..<48: endOne()
            case 48..<50: expire()
            case 50..<54: hearOfExpiry()
            case 54: lose()
            // The server has refused, or doesn't answer.
            case 55: begin()
            default: break
            }
        }

        /// Nothing fails any more.
        mutating func finish(until isOver: (World) -> Bool) {
            for _ in 0..<10_000 where !isOver(self) {
                deliver()
                arrive()
                settle()
                makeOne()
                endOne()
                hearOfExpiry()
            }
            #expect(isOver(self), "not over after 10,000 rounds")
        }

        mutating func drain() throws {
            let result = state.drain {}
            let (old, isDone) = try #require(result)
            ended.append(old)
            if isDone { drained += 1 }
            let again = state.drain {}
            #expect(again == nil)
        }

        mutating func end() throws {
            let result = state.end()
            let (old, done) = try #require(result)
            ended.append(old)
            if done != nil { drained += 1 }
            let again = state.end()
            #expect(again == nil)
        }
    }

    @Test(arguments: [1, 2, 3, 16])
    func `Every message is handled, whatever is lost and whatever ends at the same time`(places: Int) {
        var givenBack = 0
        for seed in 0..<200 as Range<UInt64> {
            var world = World(seed: seed, places: places, count: 40)
            world.begin()
            for _ in 0..<400 { world.step() }
            if world.making.isEmpty { world.begin() }
            world.finish { $0.acknowledged.count == $0.count }
            givenBack += world.givenBack
        }
        // The worlds are bad enough.
        #expect(givenBack > 200)
    }

    @Test func `A drain is over once when nothing is held, or at the end, and asks for nothing`() throws {
        var held = 0
        for seed in 0..<200 as Range<UInt64> {
            var world = World(seed: seed, places: 4, count: 40)
            world.begin()
            for _ in 0..<200 { world.step() }
            held += world.held.count
            try world.drain()
            world.begin()
            let request = world.state.request()
            #expect(request == nil)
            if seed.isMultiple(of: 2) {
                // Handlers are disposed of.
                for message in world.held.prefix(2) { world.giveBack(message, atDisposal: true) }
                world.held.removeFirst(min(2, world.held.count))
                try world.end()
            }
            world.finish { $0.ended.isEmpty && $0.held.isEmpty && $0.arrivals.isEmpty }
            #expect(world.drained == 1, "seed \(seed)")
            #expect(world.subscribed.isEmpty && world.requests.isEmpty)
            // Nothing is left here: the server has what isn't handled.
            #expect(Set(world.pending).union(world.acknowledged).count == world.count)
        }
        #expect(held > 100)
    }

    @Test func `What is given back at the end waits until the server knows of it`() throws {
        var state = PullState<Int, String>(places: 2, failureLimit: 1)
        let begun = state.begin()
        let number = try #require(begun).number
        #expect(state.hasEnded() == [])
        #expect(state.open(1, number) == true)
        let request = state.request()
        #expect(request?.count == 2)
        #expect(state.isAsking)
        #expect(state.wasSilent() == true)
        #expect(state.receive(number) == true)
        #expect(state.wasSilent() == false)
        #expect(state.wasSilent() == true)
        #expect(state.giveBack("before", atDisposal: true) == false)
        let end = state.end()
        #expect(end?.old == 1)
        #expect(state.giveBack("behind", atDisposal: true) == false)
        #expect(state.receive(number) == false)
        #expect(state.giveBack("late", atDisposal: false) == false)
        #expect(state.hasEnded() == ["before", "behind", "late"])
        #expect(state.giveBack("later", atDisposal: true) == true)
        let again = state.begin()
        #expect(again == nil)
        #expect(state.hasEnd && !state.isCurrent(number))
    }

    @Test func `Only failures for longer than the limit count, and a connection that is lost doesn't`() {
        var state = PullState<Int, String>(places: 2, failureLimit: 30)
        func refuse(_ time: Double, isConnected: Bool = true) -> Bool {
            state.refuse(at: Date(timeIntervalSince1970: time), isConnected: isConnected)
        }
        let first = [refuse(0), refuse(29)]
        state.expire(1, 0)
        let second = [refuse(50), refuse(80, isConnected: false), refuse(110), refuse(111)]
        #expect(first == [false, false])
        #expect(second == [false, false, false, true])
    }
}
