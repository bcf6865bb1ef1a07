import CCorinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

#if !Exploration && !NaiveLocks
    /// What a debugger finds in memory, where `ccorinth_registry_layout` says, is what the inspector shows.
    @Suite("Layout", .serialized)
    final class LayoutTests {
        private let wasOn = Inspector.isOn

        init() { Inspector.start() }

        // Other tests count what is allocated.
        deinit { if !wasOn { Inspector.stop() } }

        /// Compares the figures of a hop that stands still.
        private func check(_ hop: Inspector.Snapshot.Node) throws {
            let layout = ccorinth_known_layout()
            try #require(layout.is_complete == 1)
            let entry = try #require(RawEntry.all.first { $0.object == hop.id })
            let state = word(UInt64(entry.queue) + layout.counters)
            let delivered = word(state + layout.progress)
            if hop.drops {
                let depth = word(UInt64(hop.id) + layout.dropping_posted) - word(UInt64(hop.id) + layout.dropping_taken)
                #expect(
                    depth == hop.depth
                        && word(UInt64(hop.id) + layout.dropping_capacity) == hop.capacity.map(UInt64.init))
            } else {
                #expect(word(state + layout.used) == hop.posted && delivered == hop.delivered)
                #expect(word(state + layout.capacity) == hop.capacity.map(UInt64.init))
            }
            #expect(word(state + layout.stalls) == hop.stalls && word(state + layout.excesses) == hop.beyond)
            let waiters = word(state + layout.waiters)
            #expect((waiters == 0 ? 0 : word(waiters + layout.waiter_count)) == hop.waiting)
            #expect((word(state + layout.blocker) != 0) == hop.isStopped)
        }

        @Test func `C and Swift agree which bits of a thread's word count strands`() {
            #expect(ThreadState.oneDelivery - ThreadState.oneStrand == UInt64(CORINTH_STRANDS))
        }

        @Test func `Figures of queues`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            let queues = (0..<3).map { DispatchQueue(label: "layout.\($0)") }
            for queue in queues { queue.suspend() }
            let policy = BufferingPolicy<Never>.blocking(capacity: 4, stallTimeout: .never)
            let disposables = CompositeDisposable()
            disposables +=
                output
                .observe(on: QueueScheduler(name: "layout.first"), bufferingPolicy: policy)
                .observe(on: QueueScheduler(queue: queues[0], name: "layout.behind"), bufferingPolicy: policy)
                .observeValues { _ in }
            let (strings, feed) = Signal<String, Never>.pipe()
            disposables +=
                strings
                .observe(
                    on: QueueScheduler(queue: queues[1], name: "layout.dropping"),
                    bufferingPolicy: .dropOldest(capacity: 7)
                )
                .observeValues { _ in }
            disposables +=
                strings
                .observe(
                    on: QueueScheduler(queue: queues[2], name: "layout.stalling"),
                    bufferingPolicy: .blocking(capacity: 2, stallTimeout: .milliseconds(20))
                )
                .observeValues { _ in }
            for number in 0..<9 { feed.send(value: "\(number)") }
            let sent = Flag()
            Thread.detachNewThread {
                for number in 0..<20 { input.send(value: number) }
                sent.raise()
            }
            let names = ["first", "behind", "dropping", "stalling"].map { "layout.\($0)" }
            var hops: [Inspector.Snapshot.Node] = []
            // When all of this holds, nothing changes any more. And none of these figures is one that memory has by chance.
            let standsStill = await Stress.eventually {
                let nodes = Inspector.snapshot().nodes
                hops = names.compactMap { name in nodes.first { $0.name == name } }
                return hops.map(\.depth) == [5, 5, 7, 9] && hops.map(\.isStopped) == [true, false, false, false]
                    && hops[0].waiting == 1 && hops[1].waiting == 1
            }
            #expect(standsStill)
            for hop in hops { try check(hop) }
            #expect(hops[1].capacity == 4 && hops[2].capacity == 7 && hops[3].stalls > 0)
            for queue in queues { queue.resume() }
            #expect(await Stress.eventually { sent.isRaised })
            disposables.dispose()
        }

        @Test func `Strands, and the observations by which streams get their values`() throws {
            let layout = ccorinth_known_layout()
            let (output, input) = Signal<Int, Never>.pipe()
            let hop = output.observe(on: QueueScheduler(name: "layout.hop"))
            let merged = Signal.merge([output, hop, output.map { $0 + 1 }])
            let observation = merged.observeValues { _ in }
            var found: [Int] = []
            for entry in RawEntry.all where entry.kind == Registry.Kind.signal.rawValue {
                guard
                    let signal = [merged.core.root, hop.core.root, output.core.root].first(where: {
                        Registry.address(of: $0) == entry.object
                    })
                else { continue }
                #expect(word(UInt64(entry.object) + layout.strand) == UInt64(signal.stream))
                var observations: [UInt] = []
                let resources = word(UInt64(entry.object) + layout.resources)
                var next = resources == 0 ? 0 : word(resources + layout.first)
                while next != 0 {
                    let contents = word(next + layout.contents)
                    if word(contents) == layout.joined_class {
                        let array = word(contents + layout.joined)
                        for index in 0..<word(array + layout.array_count) {
                            observations.append(UInt(word(array + layout.array_elements + 8 * index)))
                        }
                    } else if signal.observations.contains(UInt(contents)) {
                        observations.append(UInt(contents))
                    }
                    next = word(next + layout.next)
                }
                #expect(observations == signal.observations)
                found.append(observations.count)
            }
            #expect(found.sorted() == [0, 1, 3])
            withExtendedLifetime((input, observation)) {}
        }

        @Test func `A hop's entry has the name of its scheduler, and its strand`() throws {
            let (output, input) = Signal<Int, Never>.pipe()
            let hop = output.observe(on: QueueScheduler(name: "layout.named"))
            let observation = hop.observeValues { _ in }
            let node = try #require(Inspector.snapshot().nodes.first { $0.name == "layout.named" })
            let entry = try #require(RawEntry.all.first { $0.object == node.id })
            #expect(entry.name == "layout.named" && entry.subject == hop.core.root.stream)
            withExtendedLifetime((input, observation)) {}
        }
    }

    private func word(_ address: UInt64) -> UInt64 {
        unsafe UnsafePointer<UInt64>(bitPattern: UInt(address)).unsafelyUnwrapped.pointee
    }

    /// A copy of an entry. What it stands for may have ended.
    private struct RawEntry {
        let object, subject, queue: UInt
        let kind: UInt32
        let name: String

        static var all: [RawEntry] {
            var count = 0
            let copy = unsafe ccorinth_registry_copy(0, &count)
            defer { unsafe copy?.deallocate() }
            return (0..<count).compactMap { index in
                guard var entry = unsafe copy?[index] else { return nil }
                let name = unsafe withUnsafeBytes(of: &entry.name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                return RawEntry(
                    object: entry.object, subject: entry.subject, queue: entry.queue, kind: entry.kind, name: name)
            }
        }
    }
#endif
