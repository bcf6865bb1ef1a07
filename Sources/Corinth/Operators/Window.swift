public import Dispatch
public import Foundation

/// Splits a stream into streams that follow one another.
///
/// A window opens with its first value, so that there is somebody to receive it: nobody could observe the first window of
/// a signal before. There is no empty window.
@usableFromInline
final class Window<Value, Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline typealias Inner = Sink<Value, Next.Error>

    @usableFromInline let bounds: WindowBounds
    @usableFromInline let open: () -> (window: Next.Value, input: Inner)
    @usableFromInline let timer = SerialDisposable()

    @safe @exclusivity(unchecked)
    @usableFromInline var current: Inner?

    /// How many values the current window has had, and how many windows there were.
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
    var port: Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { window, value in window.receive(value) }
                }
            },
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

    /// Ends the window that is open.
    @inlinable
    func close(_ termination: Termination<Next.Error>) {
        guard let input = current.take() else { return }
        if case .length = bounds.time { timer.inner = nil }
        input.onTermination(termination)
    }
}

/// When a window ends.
@usableFromInline
struct WindowBounds: Sendable {
    @usableFromInline
    enum Time: Sendable {
        case none
        case ticks(DispatchTimeInterval, any DateScheduler)
        case length(TimeInterval, any DateScheduler)
    }

    /// How many values it has at most.
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
            self.connect(to: window.port, until: output.resources)
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
    /// A window is sent just before its first value, and completes with its last one. Whatever ends the source ends the
    /// open window, and then the result; ending the result interrupts the open window.
    ///
    /// - Parameter count: How many values a window has. At least 1.
    /// - Complexity: O(1) per value; no allocation but for a window.
    @inlinable
    public func window(count: Int) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count))
    }

    /// Splits the stream into streams at each tick of a timer.
    ///
    /// The timer ticks from now on. A window is sent just before its first value: there is none for an interval in which
    /// nothing comes. For the rest see ``window(count:)``.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. At least 0; with `.never`, there is none.
    ///   - scheduler: Whose time it is, and where a window completes.
    /// ## Concurrency
    /// The source's events are delivered where it sends them. A window's completion is delivered on the scheduler; if it
    /// comes during a callback, by the thread that runs that.
    @inlinable
    public func window(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(time: .ticks(interval, scheduler)))
    }

    /// Splits the stream into streams of `count` values each, or of fewer if that takes too long.
    ///
    /// For the rest see ``window(count:)`` and ``window(every:on:)``.
    ///
    /// - Parameters:
    ///   - count: How many values a window has at most. At least 1.
    ///   - interval: How long a window is open at most, in seconds from its first value on. At least 0; may be infinite.
    ///   - scheduler: Whose time it is, and where a window completes if it takes too long.
    @inlinable
    public func window(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> Signal<Signal<Value, Error>, Error> {
        windows(WindowBounds(count: count, time: .length(interval, scheduler)))
    }
}
