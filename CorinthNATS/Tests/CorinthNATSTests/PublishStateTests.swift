import CorinthTesting
import Testing

@testable import CorinthNATS

/// What a window of messages on their way does, whatever the network and the server do. No server is needed.
struct PublishStateTests {
    /// A stream and the way to it, at random: what is on its way is lost or refused, the connection breaks, time passes.
    private struct World {
        struct Message: Hashable, Sendable {
            let number: UInt64
            let subject: String
        }

        var random: SeededGenerator
        var state: PublishState<Message>
        let limit: Int
        let source: [Message]
        var accepted = 0
        var isWaiting = false
        /// In the order in which they arrive.
        var requests: [Message] = []
        var answers: [UInt64] = []
        var stored: [Message] = []
        var acknowledged: Set<UInt64> = []
        var now: UInt64 = 0
        var isOpen = false

        init(seed: UInt64, order: NATSPublishOrder, subjects: Int, limit: Int) {
            random = SeededGenerator(seed: seed)
            self.limit = limit
            // More attempts than it takes.
            state = PublishState(order: order, limit: limit, attempts: 1_000_000, time: 1000)
            var random = SeededGenerator(seed: seed &+ 1)
            source = (1...60).map { Message(number: $0, subject: "s\(Int.random(in: 0..<subjects, using: &random))") }
        }

        mutating func send(_ message: Message?) {
            if let message { requests.append(message) }
        }

        mutating func accept() {
            guard !isWaiting, accepted < source.count else { return }
            let message = source[accepted]
            switch state.accept(message, message.subject, message.number, at: now) {
            case .send:
                accepted += 1
                send(message)
            case .queued: accepted += 1
            case .wait: isWaiting = true
            case .ended: Issue.record("it has ended")
            }
            #expect(accepted - acknowledged.count <= limit)
        }

        mutating func arrive() {
            guard !requests.isEmpty else { return }
            let message = requests.removeFirst()
            switch Int.random(in: 0..<10, using: &random) {
            case 0: break
            case 1: state.refuse(message.number, .noLeader, until: now + 50)
            default:
                if !stored.contains(message) { stored.append(message) }
                answers.append(message.number)
            }
        }

        mutating func answer() {
            guard !answers.isEmpty else { return }
            let number = answers.removeFirst()
            guard Int.random(in: 0..<10, using: &random) > 0 else { return }
            guard let result = state.acknowledge(number, at: now) else { return }
            #expect(acknowledged.insert(number).inserted)
            send(result.next)
            if result.wakes { isWaiting = false }
        }

        mutating func open() {
            while true {
                let messages = state.open(at: now)
                if messages.isEmpty { break }
                for message in messages { send(message) }
            }
            isOpen = true
        }

        mutating func step() {
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<12: accept()
            case 12..<24: arrive()
            case 24..<36: answer()
            case 36:
                now += 400
                if case .again(let messages) = state.due(at: now) {
                    for message in messages { send(message) }
                } else {
                    Issue.record("it has failed")
                }
            case 37 where isOpen:
                // What is on its way is lost, from some message on.
                requests.removeLast(Int.random(in: 0...requests.count, using: &random))
                answers = []
                for message in state.sentMessages() { send(message) }
            case 38 where !isOpen: open()
            default: break
            }
        }

        mutating func run() {
            for _ in 0..<100_000 where acknowledged.count < source.count { step() }
            #expect(acknowledged.count == source.count, "not all are stored after 100,000 steps")
        }

        /// The subjects whose messages aren't stored in the order of the source.
        var reordered: Int {
            Set(source.map(\.subject)).count { subject in
                stored.filter { $0.subject == subject } != source.filter { $0.subject == subject }
            }
        }
    }

    @Test func `The messages of each subject are stored in their order, whatever is lost`() {
        for seed in 0..<300 as Range<UInt64> {
            var world = World(
                seed: seed, order: .perSubject, subjects: Int(seed % 7) + 1, limit: [1, 2, 10, 256][Int(seed % 4)])
            world.run()
            #expect(world.reordered == 0, "seed \(seed)")
            #expect(world.stored.count == world.source.count)
        }
    }

    @Test func `Without an order, all are stored, though in another one`() {
        var reordered = 0
        for seed in 0..<100 as Range<UInt64> {
            var world = World(seed: seed, order: .any, subjects: 3, limit: 10)
            world.run()
            reordered += world.reordered
            #expect(world.stored.count == world.source.count)
        }
        // The world can tell the difference.
        #expect(reordered > 100)
    }

    @Test func `A subject doesn't wait for others`() {
        var state = PublishState<Int>(order: .perSubject, limit: 10, attempts: 3, time: 1000)
        #expect(state.open(at: 0).isEmpty)
        #expect(state.accept(1, "a", 1, at: 0) == .send)
        #expect(state.accept(2, "a", 2, at: 0) == .queued)
        #expect(state.accept(3, "b", 3, at: 0) == .send)
        #expect(state.acknowledge(3, at: 0)?.next == nil)
        #expect(state.acknowledge(1, at: 0)?.next == 2)
        #expect(state.acknowledge(1, at: 0) == nil)
        #expect(state.sentMessages() == [2])
        #expect(state.acknowledge(2, at: 0)?.next == nil)
        #expect(state.accept(4, "a", 4, at: 0) == .send)
        #expect(state.end() == [4])
        #expect(state.end() == nil)
        #expect(state.accept(5, "a", 5, at: 0) == .ended)
    }

    @Test func `A message is sent so often, and one without a leader for so long`() {
        func isUnanswered(_ due: PublishState<Int>.Due) -> Bool {
            if case .unanswered("a") = due { true } else { false }
        }
        func isRefused(_ due: PublishState<Int>.Due, _ expected: PublishState<Int>.Refusal) -> Bool {
            if case .refused("a", expected) = due { true } else { false }
        }
        func count(_ due: PublishState<Int>.Due) -> Int? {
            if case .again(let messages) = due { messages.count } else { nil }
        }
        var state = PublishState<Int>(order: .perSubject, limit: 10, attempts: 3, time: 1000)
        _ = state.open(at: 0)
        _ = state.accept(1, "a", 1, at: 0)
        _ = state.accept(2, "a", 2, at: 0)
        #expect(count(state.due(at: 999)) == 0)
        #expect(count(state.due(at: 1000)) == 1)
        #expect(count(state.due(at: 2000)) == 1)
        #expect(isUnanswered(state.due(at: 3000)))
        // The time of the one behind it begins now.
        #expect(state.acknowledge(1, at: 3000)?.next == 2)
        for time in stride(from: 3000 as UInt64, to: 6000, by: 50) {
            state.refuse(2, time < 5950 ? .noLeader : .said("later"), until: time + 50)
            #expect(count(state.due(at: time + 49)) == 0)
            if time + 50 < 6000 { #expect(count(state.due(at: time + 50)) == 1) }
        }
        #expect(isRefused(state.due(at: 6000), .said("later")))
        // One that waits for the connection.
        state = PublishState<Int>(order: .any, limit: 10, attempts: 3, time: 1000)
        #expect(state.accept(1, "a", 1, at: 0) == .queued)
        #expect(count(state.due(at: 2999)) == 0)
        #expect(isUnanswered(state.due(at: 3000)))
    }
}
