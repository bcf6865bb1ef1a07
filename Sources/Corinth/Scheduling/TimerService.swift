internal import Dispatch
internal import Foundation

/// All the delayed work of all queue schedulers, on one timer of the system's.
///
/// The wheel belongs to whoever owns the strand: a thread that finds it idle adds its entry, or takes one out, in place; one
/// that doesn't leaves that to the owner, and waits for nothing. No code of users runs there: what is due is handed to its
/// queue, and what is cancelled is let go of by whoever cancels.
///
/// It is the wall clock's time that counts. An entry never runs before its date, whatever becomes of the clock, and is due
/// when the clock passes it, be it because it is set.
final class TimerService: @unchecked Sendable {  // The strand's owner has the wheel.
    /// How many steps a turn has. Whoever owns the strand takes a turn that comes up meanwhile, and should get on with its
    /// own work; with so many, it is some microseconds. As many actions at most follow one another on a queue without
    /// letting others have their turn.
    static let turn = 1024

    /// The process's own.
    static let shared = onDispatch(name: "corinth.timers")

    private let strand = Strand()

    /// Owned by whoever owns the strand.
    private let wheel: TimerWheel

    /// For when the alarm is set. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked) private var armed: WallTime?

    private let clock: @Sendable () -> WallTime
    private let alarm: @Sendable (WallTime) -> Void
    private let submit: @Sendable (DispatchQueue, TimerEntry) -> Void

    /// - Parameters:
    ///   - clock: The time.
    ///   - alarm: Has ``wake()`` called at a time, instead of the one that it was set for before; soon, if it has passed.
    ///   - submit: Has ``TimerEntry/runAll()`` called on a queue.
    init(
        clock: @escaping @Sendable () -> WallTime, alarm: @escaping @Sendable (WallTime) -> Void,
        submit: @escaping @Sendable (DispatchQueue, TimerEntry) -> Void
    ) {
        self.clock = clock
        self.alarm = alarm
        self.submit = submit
        wheel = TimerWheel(start: clock())
    }

    /// One on a timer of the system's.
    private static func onDispatch(name: String) -> TimerService {
        let queue = DispatchQueue(label: name, qos: .userInteractive)
        let source = DispatchSource.makeTimerSource(queue: queue)
        // Set and never read by threads at once: the strand's owner sets it.
        nonisolated(unsafe) let timer = source
        let service = TimerService(
            clock: { .now },
            alarm: { unsafe timer.schedule(wallDeadline: DispatchWallTime($0)) },
            submit: { queue, first in queue.async { first.runAll() } })
        source.setEventHandler { service.wake() }
        source.activate()
        return service
    }

    /// The time.
    var now: WallTime { clock() }

    /// How many entries wait for their time. For tests: nobody else may own the strand.
    var pendingCount: Int { wheel.count }

    /// Has an entry run when it is due.
    func add(_ entry: TimerEntry) {
        strand.performAtOnce(on: self, with: entry) { service, entry in service.insert(entry) }
    }

    /// Takes out an entry that is over.
    func remove(_ entry: TimerEntry) {
        strand.performAtOnce(on: self, with: entry) { service, entry in service.wheel.remove(entry) }
    }

    /// Hands what is due to its queues.
    func wake() {
        strand.performAtOnce(on: self, with: ()) { service, _ in service.takeTurn() }
    }

    // MARK: What the owner of the strand does

    private func insert(_ entry: TimerEntry) {
        PlainAccess.write(wheel)
        // It was disposed of meanwhile, and may have been taken out before it was in.
        if entry.isDisposed { return }
        // Either it is due, or the clock was set back.
        if entry.deadline < wheel.start { wheel.rewind(to: clock()) }
        wheel.insert(entry)
        setAlarm(for: entry.deadline)
    }

    private func setAlarm(for moment: WallTime) {
        if let armed, armed <= moment { return }
        guard moment < .never else { return }
        armed = moment
        alarm(moment)
    }

    private func takeTurn() {
        PlainAccess.write(wheel)
        let now = clock()
        var first: TimerEntry?
        var last: TimerEntry?
        steps: for _ in 0..<TimerService.turn {
            switch wheel.step(until: now) {
            case .idle: break steps
            case .moved: break
            case .due(let entry):
                if let last, last.queue === entry.queue {
                    last.next = unsafe .passRetained(entry)
                } else {
                    if let first { submit(first.queue, first) }
                    first = entry
                }
                last = entry
            }
        }
        if let first { submit(first.queue, first) }
        armed = nil
        // If there is more to do now, this is a time that has passed, and the next turn comes soon.
        if let earliest = wheel.earliest { setAlarm(for: earliest) }
    }
}

extension DispatchWallTime {
    /// The same moment, or a little later.
    fileprivate init(_ time: WallTime) {
        let now = WallTime.now
        self = .now() + .nanoseconds(time > now ? Int(time.nanoseconds - now.nanoseconds) : 0)
    }
}
