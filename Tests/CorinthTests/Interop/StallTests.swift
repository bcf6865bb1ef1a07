import Corinth
import Dispatch
import Foundation
import Testing

#if !Exploration
    /// Other tests may give up bounds meanwhile: a capacity of its own tells the buffer of each test.
    @Suite struct StallTests {
        /// What a handler got.
        private final class Reports: Sendable {
            private let capacity: Int
            private let reports = Atomic<[Inspector.Stall]>([])

            init(capacity: Int) { self.capacity = capacity }

            func add(_ stall: Inspector.Stall) {
                if stall.capacity == capacity { reports.modify { $0.append(stall) } }
            }

            var all: [Inspector.Stall] { reports.value }
        }

        /// A hop whose consumer hangs until it is let go, and a thread that fills it.
        private final class HangingHop: Sendable {
            let input: Signal<Int, Never>.Observer
            let received = Counter()
            private let queue = DispatchQueue(label: "hanging")
            private let capacity: Int
            private let sent = Flag()
            private let observation: (any Disposable)?

            init(_ name: String, capacity: Int) {
                let (output, input) = Signal<Int, Never>.pipe()
                self.input = input
                self.capacity = capacity
                queue.suspend()
                let received = received
                observation =
                    output
                    .observe(
                        on: QueueScheduler(queue: queue, name: name),
                        bufferingPolicy: .blocking(capacity: capacity, stallTimeout: .milliseconds(20))
                    )
                    .observeValues { _ in received.increment() }
            }

            /// Sends on another thread, in all a multiple of the capacity, and two more.
            func fill(_ multiple: Int) {
                Thread.detachNewThread { [self] in
                    for number in 0..<multiple * capacity + 2 { input.send(value: number) }
                    sent.raise()
                }
            }

            /// Delivers everything.
            func letGo() async {
                queue.resume()
                #expect(await Stress.eventually { sent.isRaised })
                queue.sync {}
            }
        }

        @Test func `A buffer whose consumer hangs is reported, with its name, on another thread`() async throws {
            let reports = Reports(capacity: 37)
            let sender = Atomic<UInt64?>(nil)
            let before = Inspector.snapshot().stalls
            let registration = Inspector.onStall { stall in
                reports.add(stall)
                if stall.capacity == 37 { sender.value = Self.thread }
            }
            let hop = HangingHop("hanging", capacity: 37)
            let mine = Self.thread
            for number in 0..<39 { hop.input.send(value: number) }
            #expect(await Stress.eventually { !reports.all.isEmpty })
            let first = try #require(reports.all.first)
            #expect(first.kind == .stall && first.count == 1 && first.address != 0)
            #expect(first.depth >= 38 && first.time <= Inspector.snapshot().time)
            #expect(Inspector.snapshot().stalls > before)
            #expect(await Stress.eventually { sender.value.map { $0 != mine } == true })
            #if DEBUG && !NaiveLocks
                #expect(first.name == "hanging" && first.node?.kind == .hop && first.node?.frames.isEmpty == false)
                #expect(first.description == "stall of hanging: \(first.depth) of 37 queued, 1 times")
            #endif
            hop.fill(0)
            await hop.letGo()
            registration.dispose()
        }

        private static var thread: UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(Thread.current))) }

        @Test func `A buffer is reported once a second at most, with a count of all`() async throws {
            let reports = Reports(capacity: 2)
            let begin = ContinuousClock.now
            let registration = Inspector.onStall { reports.add($0) }
            let hop = HangingHop("often", capacity: 2)
            hop.fill(100)
            #expect(await Stress.eventually { reports.all.count == 2 && reports.all[1].count > 1 })
            await hop.letGo()
            #if DEBUG && !NaiveLocks
                let stalls = try #require(Inspector.snapshot().nodes.first { $0.name == "often" }).stalls
                #expect(await Stress.eventually { reports.all.reduce(0) { $0 + $1.count } == stalls })
            #endif
            let most = Int((ContinuousClock.now - begin) / .seconds(1)) + 1
            #expect(reports.all.count <= most)
            registration.dispose()
        }

        @Test func `After its disposal a handler isn't called, and is released`() async {
            let (early, late) = (Reports(capacity: 41), Reports(capacity: 41))
            weak var captured: Counter?
            do {
                let counter = Counter()
                captured = counter
                let registration = Inspector.onStall { [counter] stall in
                    counter.increment()
                    early.add(stall)
                }
                registration.dispose()
                registration.dispose()
                #expect(registration.isDisposed)
            }
            let registration = Inspector.onStall { late.add($0) }
            let hop = HangingHop("late", capacity: 41)
            hop.fill(1)
            #expect(await Stress.eventually { !late.all.isEmpty })
            #expect(early.all.isEmpty)
            await hop.letGo()
            registration.dispose()
            #expect(await Stress.eventually { captured == nil })
        }

        @Test func `A handler that blocks delays neither senders nor other handlers`() async {
            let (blocked, others) = (Reports(capacity: 47), Reports(capacity: 47))
            let gate = DispatchSemaphore(value: 0)
            let first = Inspector.onStall { stall in
                blocked.add(stall)
                if stall.capacity == 47 { gate.wait(orElse: "the handler still blocks") }
            }
            let second = Inspector.onStall { others.add($0) }
            let hop = HangingHop("blocked", capacity: 47)
            hop.fill(3)
            #expect(await Stress.eventually { !others.all.isEmpty && !blocked.all.isEmpty })
            await hop.letGo()
            #expect(blocked.all.count == 1 && hop.received.value == 3 * 47 + 2)
            first.dispose()
            gate.signal()
            second.dispose()
        }

        @Test func `A handler may send into the stream that stalls, and dispose of itself`() async {
            let hop = HangingHop("sent into", capacity: 53)
            let registration = SerialDisposable()
            let sent = Counter()
            registration.inner = Inspector.onStall { stall in
                guard stall.capacity == 53 else { return }
                for number in 0..<53 { hop.input.send(value: number) }
                registration.dispose()
                sent.increment()
            }
            hop.fill(1)
            #expect(await Stress.eventually { sent.value == 1 })
            await hop.letGo()
            #expect(hop.received.value == 53 + 2 + 53)
        }

        #if !NaiveLocks
            @Test(arguments: [1, 2]) func `A value beyond a bound because of a cycle is reported`(hops: Int)
                async throws
            {
                let reports = Reports(capacity: 3)
                let registration = Inspector.onStall { reports.add($0) }
                let (output, input) = Signal<Int, Never>.pipe()
                let policy = BufferingPolicy<Never>.blocking(capacity: 3, stallTimeout: .never)
                let ended = Flag()
                let schedulers = (1...hops).map { QueueScheduler(name: "cycle \($0) of \(hops)") }
                let last = schedulers.reduce(output) { $0.observe(on: $1, bufferingPolicy: policy) }
                let observation = last.observeValues { value in
                    if value > 10 { ended.raise() }
                    if value <= 10 { for _ in 0..<2 { input.send(value: value + 1) } }
                }
                // A thread outside the cycle could deliver the values of the others, and wait with them.
                schedulers[hops - 1].schedule { input.send(value: 1) }
                #expect(await Stress.eventually { ended.isRaised && !reports.all.isEmpty })
                let first = try #require(reports.all.first)
                #expect(first.kind == .beyond && first.depth >= 3)
                #if DEBUG
                    #expect(first.name?.hasSuffix("of \(hops)") == true)
                #endif
                registration.dispose()
                observation?.dispose()
            }
        #endif
    }
#endif
