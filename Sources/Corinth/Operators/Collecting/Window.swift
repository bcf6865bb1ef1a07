public import Dispatch
public import CorinthEssentials

/// The kernel of `window`: splits a stream into consecutive streams.
///
/// A window opens with its first value. Before that, no observer could observe the first window of a signal. No window is
/// empty.
@usableFromInline
final class Window<Value, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline let bounds: WindowBounds
    @usableFromInline let buffering: Buffering<Next.Error>
    @usableFromInline let wrap: (Signal<Value, Next.Error>) -> Next.Value
    @usableFromInline let timer = SerialDisposable()

    @safe @exclusivity(unchecked)
    @usableFromInline var current: HoldingCore<Value, Next.Error>?

    /// The number of values in the current window, and the number of windows so far.
    @safe @exclusivity(unchecked)
    @usableFromInline var count = 0
    @safe @exclusivity(unchecked)
    @usableFromInline var number: UInt64 = 0

    /// - Parameter wrap: Makes a window of the result of its signal.
    @inlinable
    init(
        _ output: JoinOutput<Next>, _ bounds: WindowBounds, _ buffering: Buffering<Next.Error>,
        wrap: @escaping (Signal<Value, Next.Error>) -> Next.Value
    ) {
        self.bounds = bounds
        self.buffering = buffering
        self.wrap = wrap
        super.init(output, sources: 1)
        output.resources.add {
            self.timer.dispose()
            self.strand.performAtOnce(on: self, with: ()) { window, _ in window.close(.interrupted) }
        }
        startTicking()
    }

    @usableFromInline
    func startTicking() {
        guard case .ticks(let interval, let clock) = bounds.time else { return }
        timer.inner = clock.schedule(
            after: clock.currentDate.adding(interval), interval: interval, leeway: interval.usualLeeway
        ) {
            self.strand.perform(on: self, with: ()) { window, _ in window.close(.completed) }
        }
    }

    @inlinable
    var input: Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in strand.send(value, to: self, self.receive(value)) { $0.receive($1) } },
            termination: { strand.perform(on: self, with: $0) { $0.end($1) } })
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        close(termination)
        terminate(termination)
    }

    @inlinable
    func receive(_ value: Value) {
        if isTerminated { return }
        if current == nil { openWindow() }
        count += 1
        current?.accept(value)
        if count == bounds.count { close(.completed) }
    }

    @inlinable
    func openWindow() {
        // It belongs to the window, which may be kept longer than this.
        let overflow = buffering.failure.map { failure in
            { [weak self] in
                guard let self else { return }
                strand.perform(on: self, with: failure) { $0.end(.failed($1)) }
            }
        }
        let core = HoldingCore<Value, Next.Error>(
            buffering.bound, counting: buffering.statistics, overflow: overflow, left: nil)
        current = core
        count = 0
        number &+= 1
        next.receive(wrap(Signal(core)))
        guard case .length(let interval, let clock) = bounds.time else { return }
        let mine = number
        timer.inner = clock.schedule(after: clock.currentDate.addingTimeInterval(interval)) {
            self.strand.perform(on: self, with: mine) { window, mine in
                if window.number == mine { window.close(.completed) }
            }
        }
    }

    /// Ends the open window.
    @inlinable
    func close(_ termination: Termination<Next.Error>) {
        guard let core = current.take() else { return }
        if case .length = bounds.time { timer.inner = nil }
        core.finish(termination)
    }
}

/// The condition that ends a window.
@usableFromInline
struct WindowBounds: Sendable {
    @usableFromInline
    enum Time: Sendable {
        case none
        case ticks(DispatchTimeInterval, any DateScheduler)
        case length(TimeInterval, any DateScheduler)
    }

    /// The maximum number of values in a window.
    @usableFromInline let count: Int
    @usableFromInline let time: Time

    @usableFromInline
    init(count: Int = .max, time: Time = .none) {
        precondition(count >= 1, "count is \(count), but must be at least 1")
        switch time {
        case .none: break
        case .ticks(let interval, _): interval.requireNonnegative("interval")
        case .length(let interval, _): requireNonnegative(interval)
        }
        self.count = count
        self.time = time
    }
}

extension Signal {
    @inlinable
    func windows(
        _ bounds: WindowBounds, _ policy: BufferingPolicy<Error>, counting statistics: BufferStatistics?
    ) -> Signal<Signal<Value, Error>, Error> {
        let buffering = policy.buffering(in: "window", counting: statistics)
        return .joining { output in
            let window = Window<Value, DerivedReceiver<Signal<Value, Error>, Error>>(output, bounds, buffering) { $0 }
            self.connect(to: window.input, until: output.resources)
        }
    }

    /// Splits the stream into streams of `count` values each.
    ///
    ///     source    a-b-c-d-e-|
    ///     window 2  w---w---w-|
    ///               a-(b|)
    ///                   c-(d|)
    ///                       e-|
    ///
    /// A window is sent just before its first value, and completes with its last one. It keeps its values until it is first
    /// observed, so that windows may be flattened with any strategy, behind a hop and on a pool, and lose nothing (law
    /// [S6](doc:Contracts#S6-Kept-for-the-first-observer)). Any termination of the source ends the open window, then the result. If
    /// the result ends first, the open window is interrupted.
    ///
    /// A window that nobody observes any more ends, and drops the rest of its values.
    ///
    /// - Parameters:
    ///   - count: The number of values in a window. At least 1.
    ///   - policy: The overflow policy of the values that one window keeps until it is observed. A failure ends the window and the
    ///     result. Any policy except `.blocking`: the sender may be the one that has to observe the window. By default there is no
    ///     bound.
    ///   - statistics: Counts the values of all windows: as sent, as delivered to an observer, and as dropped, because of an overflow
    ///     or because nobody observes their window any more. When all windows have ended, sent = delivered + dropped.
    /// - Complexity: O(1) per value. Allocations only for each window.
    /// ## Concurrency
    /// Each window has its own strand. What it has kept is delivered on the thread that observes it first, before `observe` returns,
    /// unless another thread is delivering it.
    @inlinable
    public func window(
        count: Int, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count), policy, counting: statistics)
    }

    /// Splits the stream into streams at each tick of a timer.
    ///
    /// The timer starts when the operator is applied. A window is sent just before its first value. An interval without
    /// values has no window. See also ``window(count:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0. With `.never`, there are no ticks.
    ///   - scheduler: The scheduler that measures the time and completes windows.
    ///   - policy: The overflow policy of the values that one window keeps until it is observed.
    ///   - statistics: Counts the values of all windows.
    /// ## Concurrency
    /// Events of the source are delivered on the threads on which the source sends them. The completion of a window is
    /// delivered on the scheduler. If a callback is running at that time, its thread delivers the completion.
    @inlinable
    public func window(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(time: .ticks(interval, scheduler)), policy, counting: statistics)
    }

    /// Splits the stream into streams of `count` values each, or of fewer when an interval has passed.
    /// See ``window(count:bufferingPolicy:statistics:)`` and
    /// ``window(every:on:bufferingPolicy:statistics:)-(DispatchTimeInterval,_,_,_)``.
    ///
    /// - Parameters:
    ///   - count: The maximum number of values in a window. At least 1.
    ///   - interval: The maximum time that a window is open, in seconds from its first value. At least 0. May be infinite.
    ///   - scheduler: The scheduler that measures the time. It completes a window whose interval has passed.
    ///   - policy: The overflow policy of the values that one window keeps until it is observed.
    ///   - statistics: Counts the values of all windows.
    @inlinable
    public func window(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count, time: .length(interval, scheduler)), policy, counting: statistics)
    }
}
