import Dispatch
import Foundation
import Testing

@testable import Corinth

#if os(Linux) && !Exploration && !NaiveLocks
    @Suite(.serialized)
    final class DeliveryTests {
        private let wasOn = Inspector.isOn
        private let watching: any Disposable

        init() throws {
            Inspector.start()
            watching = try Inspector.watch()
        }

        deinit {
            watching.dispose()
            if !wasOn { Inspector.stop() }
        }

        /// The deliveries of a stream that took so long.
        private func deliveries(of name: String, for milliseconds: UInt64) -> [Inspector.Snapshot.Delivery] {
            let snapshot = Inspector.snapshot()
            let streams = Set(snapshot.nodes.filter { $0.name == name }.map(\.id))
            return snapshot.deliveries.filter {
                $0.duration >= milliseconds * 1_000_000 && !streams.isDisjoint(with: $0.streams)
            }
        }

        /// The first delivery of a stream that takes so long, as soon as there is one; nil after a time that is far too long.
        private func first(of name: String, for milliseconds: UInt64) async -> Inspector.Snapshot.Delivery? {
            var seen: Inspector.Snapshot.Delivery?
            _ = await Stress.eventually {
                seen = self.deliveries(of: name, for: milliseconds).first
                return seen != nil
            }
            return seen
        }

        /// Whether the calls of a delivery are those in which the signal with this name was made, from its maker's caller outwards.
        private func passes(_ delivery: Inspector.Snapshot.Delivery, through name: String) -> Bool {
            guard let made = Inspector.snapshot().nodes.first(where: { $0.name == name })?.frames else { return false }
            let outer = Array(made.suffix(4))
            return delivery.frames.indices.contains { delivery.frames[$0...].starts(with: outer) }
        }

        @Test func `An observer that blocks is found, with its calls, while it blocks and afterwards`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("blocked")
            let isReleased = DispatchSemaphore(value: 0)
            let made = Atomic<[Signal<Int, Never>]>([])
            let observation = output.observeValues { _ in
                let inside = Signal<Int, Never>.pipe().output.named("inside a blocked one")
                made.modify { $0.append(inside) }
                isReleased.wait()
            }
            let sender = ThreadScheduler(name: "blocker")
            sender.schedule { input.send(value: 1) }
            let going = try #require(await first(of: "blocked", for: 20))
            #expect(going.thread == "blocker")
            #expect(going.count == 1 && going.ended == nil)
            #expect(passes(going, through: "inside a blocked one"))
            // Another thread that begins to watch goes on with it.
            watching.dispose()
            usleep(20_000)
            let again = try Inspector.watch()
            defer { again.dispose() }
            let goesOn = await Stress.eventually {
                self.deliveries(of: "blocked", for: 0).first.map {
                    $0.ended == nil && $0.duration > going.duration + 10_000_000
                }
                    ?? false
            }
            let told = deliveries(of: "blocked", for: 0)
            #expect(goesOn && told.map(\.count) == [1], "\(told)")
            isReleased.signal()
            let isOver = await Stress.eventually {
                self.deliveries(of: "blocked", for: 20).allSatisfy { $0.ended != nil }
            }
            #expect(isOver && deliveries(of: "blocked", for: 20).count == 1)
            withExtendedLifetime(observation) {}
        }

        @Test func `An observer that computes, then blocks, is found where it blocks`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("first busy, then blocked")
            let mayBlock = Flag()
            let isReleased = DispatchSemaphore(value: 0)
            let calls = Atomic<Set<UInt>>([])
            let hasReturned = Flag()
            let observation = output.observeValues { _ in
                while !mayBlock.isRaised {}
                block(until: isReleased, calls)
                // If this were the last call, an optimised observer would have left before it.
                hasReturned.raise()
            }
            Thread.detachNewThread { input.send(value: 1) }
            let seen = await first(of: "first busy, then blocked", for: 5)
            mayBlock.raise()
            let outside = try #require(seen).frames
            let isSeenBlocked = await Stress.eventually {
                let inside = calls.value.subtracting(outside)
                return self.deliveries(of: "first busy, then blocked", for: 5).contains {
                    !inside.isDisjoint(with: $0.frames)
                }
            }
            let told = deliveries(of: "first busy, then blocked", for: 0)
            #expect(isSeenBlocked && told.map(\.count) == [1], "\(told)")
            isReleased.signal()
            let isOver = await Stress.eventually {
                self.deliveries(of: "first busy, then blocked", for: 5).allSatisfy { $0.ended != nil }
            }
            #expect(isOver)
            withExtendedLifetime(observation) {}
        }

        @Test func `A delivery that blocks elsewhere is no longer told where it blocked before`() async {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("blocked twice")
            let (isPassed, isReleased) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let calls = Atomic<Set<UInt>>([])
            let observation = output.observeValues { number in
                if number > 0 { block(until: isPassed, calls) }
                if number == 2 { isReleased.wait() }
            }
            let sender = ThreadScheduler(name: "twice")
            func told() -> [Inspector.Snapshot.Delivery] { deliveries(of: "blocked twice", for: 5) }
            // By the same calls each time; the first values may pass through others of the library than later ones.
            func send(_ numbers: [Int]) { sender.schedule { for number in numbers { input.send(value: number) } } }
            send(Array(repeating: 0, count: 200) + [1])
            #expect(await Stress.eventually { told().contains { $0.count == 1 && $0.ended == nil } })
            isPassed.signal()
            #expect(await Stress.eventually { told().map(\.count) == [1] && told()[0].ended != nil })
            send([2])
            #expect(await Stress.eventually { told().contains { $0.count == 2 && $0.ended == nil } })
            isPassed.signal()
            let hasMoved = await Stress.eventually {
                told().filter { $0.ended == nil }.map(\.count) == [1] && told().count == 2
            }
            #expect(hasMoved, "\(told())")
            #expect(told().filter { $0.ended != nil }.map(\.count) == [1])
            isReleased.signal()
            withExtendedLifetime(observation) {}
        }

        @Test func `What held a stream that is gone isn't told of one that lies at its address`() async {
            let delay = DispatchSemaphore(value: 0)
            var address: UInt = 0
            func hold() {
                let (output, input) = Signal<Int, Never>.pipe()
                output.named("gone")
                address = output.core.root.stream
                let observation = output.observeValues { _ in _ = delay.wait(timeout: .now() + .milliseconds(20)) }
                input.send(value: 1)
                withExtendedLifetime(observation) {}
            }
            let isSeen = await Stress.eventually {
                hold()
                // The watching thread notices the end a little later. Until then, nothing is made that could lie there.
                usleep(10_000)
                return Inspector.snapshot().deliveries.contains { $0.streams.contains(address) && $0.ended != nil }
            }
            #expect(isSeen)
            // Until one lies there; the others are kept, so that the next one lies elsewhere.
            var others: [Signal<Int, Never>] = []
            for _ in 0..<100_000 where others.last?.core.root.stream != address {
                others.append(Signal<Int, Never>.pipe().output)
            }
            if others.last?.core.root.stream == address {
                #expect(!Inspector.snapshot().deliveries.contains { $0.streams.contains(address) })
            }
        }

        @Test func `An observer that computes is found, with its calls`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("busy")
            let isOver = Flag()
            let made = Atomic<[Signal<Int, Never>]>([])
            let observation = output.observeValues { _ in
                let inside = Signal<Int, Never>.pipe().output.named("inside a busy one")
                made.modify { $0.append(inside) }
                while !isOver.isRaised {}
            }
            Thread.detachNewThread { input.send(value: 1) }
            let seen = await first(of: "busy", for: 20)
            isOver.raise()
            #expect(seen != nil)
            // A sanitizer may hold the signal back.
            if !WaitLimit.isSanitized { #expect(try passes(#require(seen), through: "inside a busy one")) }
            withExtendedLifetime(observation) {}
        }

        /// Of a hop on a queue, of a dropping one, of an inbox, and of neither.
        @Test(arguments: ["hop", "dropping", "inbox", "direct"])
        func `Many values aren't taken for a slow one`(way: String) async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("first of \(way)")
            let queue = DispatchQueue(label: "queue")
            let stream =
                switch way {
                case "hop": output.observe(on: QueueScheduler(queue: queue))
                case "dropping":
                    output.observe(on: QueueScheduler(queue: queue), bufferingPolicy: .dropOldest(capacity: 100))
                default: output
                }
            stream.named("many of \(way)")
            let delivered = Counter()
            let isQueued = DispatchSemaphore(value: 0)
            let isFirstIn = Flag()
            let observation = stream.observeValues { number in
                if number == 0 {
                    isFirstIn.raise()
                    isQueued.wait()
                } else {
                    usleep(4_000)
                }
                delivered.increment()
            }
            // What comes during the first one is queued, so that one drain delivers all of it.
            if way != "direct" { Thread.detachNewThread { input.send(value: 0) } }
            let isBegun = await Stress.eventually { way == "direct" || isFirstIn.isRaised }
            #expect(isBegun)
            for number in 1...100 { input.send(value: number) }
            isQueued.signal()
            let isDelivered = await Stress.eventually { delivered.value >= 100 }
            #expect(isDelivered)
            // All of them take 400 ms.
            #expect(deliveries(of: "many of \(way)", for: 250).isEmpty)
            withExtendedLifetime(observation) {}
        }

        @Test func `Many threads that are stuck at the same place are told together`() async {
            let isReleased = DispatchSemaphore(value: 0)
            let group = DispatchGroup()
            let streams = (0..<100).map { _ in Signal<Int, Never>.pipe() }
            let observations = streams.map { stream in
                stream.output.named("stuck")
                return stream.output.observeValues { _ in isReleased.wait() }
            }
            for stream in streams {
                group.enter()
                Thread.detachNewThread {
                    stream.input.send(value: 1)
                    group.leave()
                }
            }
            let areSeen = await Stress.eventually { self.deliveries(of: "stuck", for: 5).map(\.count).max() == 100 }
            #expect(areSeen)
            for _ in streams { isReleased.signal() }
            let isOver = await Stress.eventually { group.wait(timeout: .now()) == .success }
            #expect(isOver)
            withExtendedLifetime(observations) {}
        }

        @Test func `Threads come and go while they are watched`() {
            let (output, input) = Signal<Int, Never>.pipe()
            let observation = output.observeValues { _ in }
            for _ in 0..<Stress.fewer(200) {
                let group = DispatchGroup()
                for _ in 0..<8 {
                    group.enter()
                    Thread.detachNewThread {
                        for number in 0..<100 { input.send(value: number) }
                        group.leave()
                    }
                }
                group.wait()
            }
            withExtendedLifetime(observation) {}
        }
    }

    /// Where an observer blocks, apart from where it computes.
    @inline(never)
    private func block(until isReleased: DispatchSemaphore, _ calls: Atomic<Set<UInt>>) {
        calls.value = Set(Thread.callStackReturnAddresses.map(\.uintValue))
        isReleased.wait()
    }
#endif
