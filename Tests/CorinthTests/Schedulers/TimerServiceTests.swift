import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// Delayed work in virtual time.
struct TimerServiceTests {
    private let timers = VirtualTimers()
    private let queue = DispatchQueue(label: "service")
    private let order = Atomic<[Int]>([])

    /// Schedules an action that runs once and logs its number.
    @discardableResult
    private func schedule(_ number: Int, at time: UInt64, on queue: DispatchQueue? = nil) -> TimerEntry {
        let order = order
        return schedule(at: time, on: queue) { order.modify { $0.append(number) } }
    }

    @discardableResult
    private func schedule(
        at time: UInt64, on queue: DispatchQueue? = nil, _ action: @escaping () -> Void
    ) -> TimerEntry {
        let entry = TimerEntry(
            action, at: TimePoint(nanoseconds: time), on: queue ?? self.queue, by: timers.service)
        entry.start()
        return entry
    }

    private func repeated(
        at time: UInt64, every interval: UInt64, leeway: UInt64 = 0, _ action: @escaping () -> Void
    ) -> TimerEntry {
        let entry = TimerEntry(
            action, at: TimePoint(nanoseconds: time), every: interval, leeway: leeway, on: queue, by: timers.service)
        entry.start()
        return entry
    }

    private let second: UInt64 = 1_000_000_000

    @Test func inOrderOfTime() {
        schedule(2, at: 2 * second + 1)
        schedule(0, at: 2 * second)
        schedule(3, at: 3 * second)
        schedule(1, at: 2 * second)
        timers.run(to: 2 * second - 1)
        #expect(order.value == [])
        timers.run(to: 2 * second)
        #expect(order.value == [0, 1])
        timers.run(to: 10 * second)
        #expect(order.value == [0, 1, 2, 3])
        #expect(timers.service.pendingCount == 0)
        #expect(timers.alarm == nil)
    }

    @Test func `The alarm is cancelled when no entry is left, and set again for the next one`() {
        let entries = [5, 6].map { schedule(0, at: $0 * second) }
        entries[0].dispose()
        timers.service.cancelIdleAlarm()
        #expect(timers.alarm == 5 * second)
        entries[1].dispose()
        timers.service.cancelIdleAlarm()
        #expect(timers.alarm == nil)
        let set = timers.alarmsSet
        timers.service.cancelIdleAlarm()
        #expect(timers.alarmsSet == set)
        schedule(1, at: 7 * second)
        #expect(timers.alarm == 7 * second)
        timers.run(to: 7 * second)
        #expect(order.value == [1])
    }

    @Test func `An entry outlives its wheel: it is over, and its action is released`() {
        let leaks = LeakCounter()
        let entry = TimerEntry(
            { [token = leaks.token()] in token.touch() }, at: TimePoint(nanoseconds: 1), by: timers.service)
        do {
            var wheel = TimerWheel(start: .beginning)
            wheel.insert(entry)
            #expect(leaks.count == 1)
        }
        #expect(entry.isDisposed && leaks.count == 0)
    }

    /// The alarm is set again only for an entry that is earlier than all others.
    @Test func alarms() {
        schedule(0, at: 5 * second)
        for _ in 0..<100 { schedule(1, at: 6 * second).dispose() }
        #expect(timers.alarmsSet == 1)
        schedule(2, at: 4 * second).dispose()
        #expect(timers.alarmsSet == 2)
        // A cancellation doesn't set the alarm. The unneeded wake-up sets it for the remaining entries.
        timers.run(to: 4 * second)
        #expect(timers.alarmsSet == 3)
        #expect(timers.alarm == 5 * second)
        timers.run(to: 5 * second)
        #expect(timers.alarmsSet == 3)
        #expect(order.value == [0])
    }

    /// An alarm that fires too early is set again.
    @Test func earlyAlarm() {
        schedule(0, at: 5 * second)
        timers.service.wake()
        #expect(timers.alarm == 5 * second)
        timers.runBatches()
        #expect(order.value == [])
        timers.run(to: 5 * second)
        #expect(order.value == [0])
    }

    /// Successive entries for one queue are submitted together. An entry for another queue in between splits them.
    @Test func batches() {
        let other = DispatchQueue(label: "other")
        for number in 0..<3 { schedule(number, at: 2 * second) }
        schedule(3, at: 2 * second, on: other)
        schedule(4, at: 2 * second)
        timers.advance(to: 2 * second)
        #expect(timers.batchCount == 3)
        timers.runBatches()
        #expect(order.value == [0, 1, 2, 3, 4])
    }

    /// However many entries are due, a thread that runs them for others does so in batches.
    @Test func limitOfAWakeUp() {
        let count = 5 * TimerService.wakeUpLimit
        for number in 0..<count { schedule(number, at: 2 * second + UInt64(number % 2)) }
        timers.now = 3 * second
        timers.service.wake()
        #expect(timers.service.pendingCount > 0)
        timers.run(to: 3 * second)
        #expect(timers.service.pendingCount == 0)
        let evens = (0..<count).filter { $0 % 2 == 0 }
        #expect(order.value == evens + (0..<count).filter { $0 % 2 == 1 })
    }

    // MARK: Disposal

    /// An entry is released at once, and leaves nothing behind.
    @Test func disposal() {
        let leaks = LeakCounter()
        let entries = (0..<100).map { number in
            schedule(at: 2 * second + UInt64(number) * second) { [token = leaks.token()] in token.touch() }
        }
        #expect(leaks.count == 100)
        #expect(timers.service.pendingCount == 100)
        for entry in entries.reversed() {
            #expect(!entry.isDisposed)
            entry.dispose()
            #expect(entry.isDisposed)
            entry.dispose()
        }
        #expect(leaks.count == 0)
        #expect(timers.service.pendingCount == 0)
        timers.run(to: 1000 * second)
    }

    @Test func `C1: the same holds for an entry that is due and waits for its queue`() {
        let leaks = LeakCounter()
        let entry = schedule(at: 2 * second) { [token = leaks.token()] in token.touch() }
        schedule(1, at: 2 * second)
        timers.advance(to: 2 * second)
        entry.dispose()
        #expect(leaks.count == 0)
        timers.runBatches()
        #expect(order.value == [1])
    }

    /// The service holds its entries.
    @Test func keepsUnreferencedEntries() {
        let leaks = LeakCounter()
        let runs = Counter()
        schedule(at: 2 * second) { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        #expect(leaks.count == 1)
        timers.run(to: 2 * second)
        #expect(runs.value == 1)
        #expect(leaks.count == 0)
    }

    @Test func finishedEntriesAreDisposed() {
        let entry = schedule(0, at: 2 * second)
        timers.run(to: 2 * second)
        #expect(entry.isDisposed)
        entry.dispose()
        #expect(order.value == [0])
    }

    /// The action's deinitialiser may schedule and dispose.
    @Test func deinitialiserThatDisposes() {
        let other = schedule(0, at: 3 * second)
        let first = schedule(at: 2 * second) { [bomb = Bomb { other.dispose() }] in bomb.touch() }
        first.dispose()
        #expect(other.isDisposed)
        #expect(timers.service.pendingCount == 0)
    }

    // MARK: Repetition

    @Test func repetition() {
        let runs = Counter()
        let entry = repeated(at: 2 * second, every: second) { runs.increment() }
        timers.run(to: 2 * second)
        #expect(runs.value == 1)
        timers.run(to: 3 * second - 1)
        #expect(runs.value == 1)
        timers.run(to: 3 * second)
        #expect(runs.value == 2)
        entry.dispose()
        #expect(timers.service.pendingCount == 0)
        timers.run(to: 10 * second)
        #expect(runs.value == 2)
    }

    /// One run makes up for the times that pass while the queue is busy, and the later times stay the same.
    @Test func keepsItsPhase() {
        let timers = timers
        let times = Atomic<[UInt64]>([])
        let entry = repeated(at: 2 * second, every: second) { times.modify { $0.append(timers.now / 100_000_000) } }
        timers.advance(to: 2 * second)
        // The queue runs after three times have passed.
        timers.advance(to: 4 * second + second / 2)
        timers.runBatches()
        #expect(times.value == [45])
        timers.run(to: 5 * second)
        timers.run(to: 6 * second + second / 10)
        timers.run(to: 7 * second)
        #expect(times.value == [45, 50, 61, 70])
        entry.dispose()
    }

    /// If a time passes during a run, another run follows at once.
    @Test func longRun() {
        let (timers, second) = (timers, second)
        let runs = Counter()
        let entry = repeated(at: 2 * second, every: second) {
            if runs.increment() == 1 { timers.now += 3 * second }
        }
        timers.run(to: 2 * second)
        #expect(runs.value == 1)
        timers.run(to: timers.now)
        #expect(runs.value == 2)
        timers.run(to: timers.now)
        #expect(runs.value == 2)
        #expect(timers.alarm == 6 * second)
        entry.dispose()
    }

    /// With an interval of 0, the action runs whenever the queue has time.
    @Test func intervalOfZero() {
        let runs = Counter()
        let entry = repeated(at: 2 * second, every: 0) { runs.increment() }
        for round in 1...5 {
            timers.run(to: 2 * second + UInt64(round))
            #expect(runs.value == round)
        }
        entry.dispose()
        #expect(timers.service.pendingCount == 0)
    }

    @Test func endlessInterval() {
        let runs = Counter()
        let entry = repeated(at: 2 * second, every: .max) { runs.increment() }
        timers.run(to: 2 * second)
        #expect(runs.value == 1)
        #expect(timers.alarm == nil)
        entry.dispose()
        #expect(timers.service.pendingCount == 0)
    }

    /// Similar to E7: a repetition that is disposed of in its own run doesn't run again, and is released.
    @Test func disposalFromInside() {
        let leaks = LeakCounter()
        let holder = SerialDisposable()
        let runs = Counter()
        holder.inner = repeated(at: 2 * second, every: second) { [token = leaks.token()] in
            token.touch()
            runs.increment()
            holder.dispose()
            // A running action can't be released.
            #expect(leaks.count == 1)
        }
        timers.run(to: 2 * second)
        timers.run(to: 9 * second)
        #expect(runs.value == 1)
        #expect(leaks.count == 0)
        #expect(timers.service.pendingCount == 0)
    }

    /// Entries with leeway share wake-ups. None is early, or later than its leeway.
    @Test func leeway() {
        let runs = Counter()
        let entries = (0..<50).map { number in
            let date = 2 * second + UInt64(number) * 1_000_000
            return repeated(at: date, every: second, leeway: second / 4) { runs.increment() }
        }
        #expect(entries.allSatisfy { $0.deadline.nanoseconds <= 2 * second + second / 4 + 50_000_000 })
        #expect(Set(entries.map(\.deadline)).count <= 2)
        timers.run(to: 2 * second - 1)
        #expect(runs.value == 0)
        timers.run(to: 2 * second + second / 2)
        #expect(runs.value == 50)
        // The leeway doesn't accumulate.
        for round in 3...50 as ClosedRange<UInt64> { timers.run(to: round * second + second / 2) }
        #expect(runs.value == 50 * 49)
        for entry in entries { entry.dispose() }
    }

    // MARK: Distant times

    @Test func lateByDays() {
        let runs = Counter()
        let entry = repeated(at: 2 * second, every: second) { runs.increment() }
        schedule(0, at: 5 * second)
        timers.run(to: 1_000_000 * second)
        #expect(order.value == [0])
        #expect(runs.value == 1)
        #expect(timers.alarm == 1_000_001 * second)
        entry.dispose()
    }

    @Test func theLatestTime() {
        schedule(0, at: TimePoint.never.nanoseconds)
        #expect(timers.alarm == nil)
        schedule(1, at: 2 * second)
        timers.run(to: 3 * second)
        #expect(order.value == [1])
        #expect(timers.alarm == nil)
        #expect(timers.service.pendingCount == 1)
    }

    // MARK: Costs

    // A pending timeout with its cancellation takes at most 200 bytes, plus the action's context.
    #if os(Linux)
        @Test func size() throws {
            typealias Size = @convention(c) (UnsafeMutableRawPointer) -> Int
            let symbol = unsafe try #require(dlsym(nil, "malloc_usable_size"))
            let entry = schedule(0, at: 2 * second)
            let size = unsafe unsafeBitCast(symbol, to: Size.self)(Unmanaged.passUnretained(entry).toOpaque())
            print("a pending timeout takes \(size) bytes")
            #expect(size <= 200)
            entry.dispose()
        }
    #endif

    /// A cancelled entry is removed at once, in any number.
    @Test func churn() {
        struct Entry { weak var entry: TimerEntry? }
        var entries: [Entry] = []
        let kept = schedule(0, at: 10 * second)
        for round in 0..<50 as Range<UInt64> {
            let batch = (0..<100 as Range<UInt64>).map { schedule(1, at: (20 + round * $0 % 7) * second + $0) }
            entries += batch.map { Entry(entry: $0) }
            for entry in round % 2 == 0 ? batch : batch.reversed() { entry.dispose() }
        }
        #expect(entries.count == 5_000)
        #expect(entries.allSatisfy { $0.entry == nil })
        #expect(timers.service.pendingCount == 1)
        kept.dispose()
    }

    /// A hundred thousand cancelled entries don't set the alarm and leave nothing behind.
    @Test func many() {
        let entries = (0..<100_000).map { schedule($0, at: 30 * second + UInt64($0)) }
        #expect(timers.service.pendingCount == 100_000)
        for entry in entries { entry.dispose() }
        #expect(timers.service.pendingCount == 0)
        #expect(timers.alarmsSet == 1)
        timers.run(to: 60 * second)
        #expect(timers.alarm == nil)
        #expect(order.value == [])
    }

    // MARK: Threads

    /// Threads add and dispose while another one wakes: each entry runs once or is disposed of, and the runs are in order of
    /// time.
    @Test func threads() {
        let timers = timers
        let (runs, disposals) = (Counter(), Counter())
        let leaks = LeakCounter()
        let perThread = 2_000
        ThreadGroup.run(4) { index in
            if index == 3 {
                for round in 0..<500 as Range<UInt64> { timers.run(to: 1_000_000_000 + round * 1000) }
                return
            }
            for number in 0..<perThread {
                let entry = TimerEntry(
                    { [token = leaks.token()] in
                        token.touch()
                        runs.increment()
                    },
                    at: TimePoint(nanoseconds: 1_000_000_000 + UInt64(number * 300 % 700_000)),
                    on: DispatchQueue.main, by: timers.service)
                entry.start()
                if number % 3 == 0 {
                    entry.dispose()
                    disposals.increment()
                }
            }
        }
        let isThrough = Stress.eventually {
            timers.service.wake()
            timers.run(to: 5_000_000_000)
            return leaks.count == 0
        }
        #expect(isThrough)
        #expect(runs.value <= 3 * perThread)
        #expect(runs.value >= 3 * perThread - disposals.value)
    }
}

/// Runs a closure when it is deallocated.
private final class Bomb {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    deinit { action() }

    func touch() {}
}

/// The process-wide services.
struct SharedTimerServiceTests {
    @Test func queuesShareAFewServices() {
        let queues = (0..<1_000).map { DispatchQueue(label: "\($0)") }
        let services = queues.map { ObjectIdentifier(TimerService.shared(for: $0)) }
        #expect(queues.map { ObjectIdentifier(TimerService.shared(for: $0)) } == services)
        let count = min(ProcessInfo.processInfo.processorCount, 16)
        #expect(Set(services).count == count)
        // No service has most of the queues.
        let most = Dictionary(grouping: services) { $0 }.values.map(\.count).max() ?? 0
        #expect(count == 1 || most < 2 * 1_000 / count)
    }
}
