public import Dispatch
public import Foundation

/// The kernel of `window`: splits a stream into consecutive streams.
///
/// A window opens with its first value. Before that, no observer could observe the first window of a signal. No window is
/// empty.
@usableFromInline
final class Window<Value, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Inner = Sink<Value, Next.Error>

    @usableFromInline let bounds: WindowBounds
    @usableFromInline let open: () -> (window: Next.Value, input: Inner)
    @usableFromInline let timer = SerialDisposable()

    @safe @exclusivity(unchecked)
    @usableFromInline var current: Inner?

    /// The number of values in the current window, and the number of windows so far.
    @safe @exclusivity(unchecked)
    @usableFromInline var count = 0
    @safe @exclusivity(unchecked)
    @usableFromInline var number: UInt64 = 0

    @inlinable
    init(
        _ output: JoinOutput<Next>, _ bounds: WindowBounds, open: @escaping () -> (window: Next.Value, input: Inner)
    ) {
        self.bounds = bounds
        self.open = open
        super.init(output, sources: 1)
        output.resources.add {
            self.timer.dispose()
            self.strand.perform(on: self, with: ()) { window, _ in window.close(.interrupted) }
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
            termination: { termination in
                strand.perform(on: self, with: termination) { window, termination in
                    window.close(termination)
                    window.terminate(termination)
                }
            })
    }

    @inlinable
    func receive(_ value: Value) {
        if isTerminated { return }
        if current == nil { openWindow() }
        count += 1
        current?.onValue(value)
        if count == bounds.count { close(.completed) }
    }

    @inlinable
    func openWindow() {
        let (window, input) = open()
        current = input
        count = 0
        number &+= 1
        next.receive(window)
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
        guard let input = current.take() else { return }
        if case .length = bounds.time { timer.inner = nil }
        input.terminate(termination)
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
    func windows(_ bounds: WindowBounds) -> Signal<Signal<Value, Error>, Error> {
        .joining { output in
            let window = Window<Value, DerivedReceiver<Signal<Value, Error>, Error>>(output, bounds) {
                let (signal, input) = Signal<Value, Error>.pipe()
                return (signal, Sink(value: { input.send(value: $0) }, termination: { input.terminate($0) }))
            }
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
    /// A window is sent just before its first value, and completes with its last one. Any termination of the source ends
    /// the open window, then the result. If the result ends first, the open window is interrupted.
    ///
    /// - Parameter count: The number of values in a window. At least 1.
    /// - Complexity: O(1) per value. Allocations only for each window.
    @inlinable
    public func window(count: Int) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count))
    }

    /// Splits the stream into streams at each tick of a timer.
    ///
    /// The timer starts when the operator is applied. A window is sent just before its first value. An interval without
    /// values has no window. See also ``window(count:)``.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0. With `.never`, there are no ticks.
    ///   - scheduler: The scheduler that measures the time and completes windows.
    /// ## Concurrency
    /// Events of the source are delivered on the threads on which the source sends them. The completion of a window is
    /// delivered on the scheduler. If a callback is running at that time, its thread delivers the completion.
    @inlinable
    public func window(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(time: .ticks(interval, scheduler)))
    }

    /// Splits the stream into streams of `count` values each, or of fewer when an interval has passed.
    /// See ``window(count:)`` and ``window(every:on:)-(DispatchTimeInterval,_)``.
    ///
    /// - Parameters:
    ///   - count: The maximum number of values in a window. At least 1.
    ///   - interval: The maximum time that a window is open, in seconds from its first value. At least 0. May be infinite.
    ///   - scheduler: The scheduler that measures the time. It completes a window whose interval has passed.
    @inlinable
    public func window(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count, time: .length(interval, scheduler)))
    }
}
