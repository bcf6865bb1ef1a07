#if NATS
internal import Foundation

/// Windows of time, each with a state of its own.
///
/// The *newest date* of a partition is the latest of its messages so far. A window is closed when the newest date is beyond its end
/// by `lateness`. A message for a closed window is left out, and counted in ``NATSStatistics/late``. Only messages close windows,
/// so the windows are the same whenever a worker handles its messages again, and those of a partition that gets no more stay open.
/// With `idleAfter`, its newest date goes on with the clock then, so that its windows are closed, too. A message whose date is far in the future would
/// close them all: it is left out, counted in ``NATSStatistics/undecodable``, and reported by ``NATSConnection/failures``.
public struct NATSWindows: Equatable, Sendable {
    /// How long a window is. At least 1 ms.
    public let length: Duration
    /// From the beginning of one window to that of the next. At least 1 ms, and at most the length.
    public let step: Duration
    /// How long messages may be late. At least 0.
    public var lateness: Duration { closing.lateness }
    /// How far the date of a message may be beyond the time when the stream stored it. At least 0.
    public var maxAhead: Duration { closing.maxAhead }
    /// After which time without a message, while the server says that there is none, time goes on without messages. At least 1 s; nil
    /// for never.
    public var idleAfter: Duration? { closing.idleAfter }

    let closing: WindowClosing

    /// - Parameters:
    ///   - length: How long a window is. At least 1 ms.
    ///   - step: From the beginning of one window to that of the next. At least 1 ms, and at most the length. nil for the length:
    ///     then windows don't overlap.
    ///   - lateness: How long messages may be late. At least 0.
    ///   - maxAhead: How far the date of a message may be beyond the time when the stream stored it. At least 0. A day, unless given.
    ///   - idleAfter: After which time without a message in a partition, while the server says that there is none, its newest date goes
    ///     on with the clock. A message that comes after that, and is older, may be late. Longer than publishers pause while they work.
    ///     At least 1 s; nil for never.
    public init(
        _ length: Duration, every step: Duration? = nil, lateness: Duration = .zero,
        maxAhead: Duration = .seconds(86_400), idleAfter: Duration? = nil
    ) {
        length.requireMillisecond("length")
        (step ?? length).requireMillisecond("step")
        precondition(step ?? length <= length, "step is \(step ?? length), but must be at most the length, \(length)")
        self.length = length
        self.step = step ?? length
        closing = WindowClosing(lateness: lateness, maxAhead: maxAhead, idleAfter: idleAfter)
    }

    /// The beginnings of the windows of a date, in milliseconds since 1970.
    func starts(at date: Int64) -> StrideThrough<Int64> {
        let (step, length) = (step.ofDates, length.ofDates)
        let last = date.rounded(downTo: step)
        let count = (length - (date - last) - 1) / step
        return stride(from: last - count * step, through: last, by: Int64.Stride(step))
    }

    func end(of start: Int64) -> Int64 { start + length.ofDates }
}

/// Sessions: windows of time that are as long as something is being done. Each key has its own.
///
/// A message begins a session that ends `gap` after it. One that comes before the end prolongs it, and if it is near to two sessions,
/// one is made of them. As with ``NATSWindows``, a session is closed when the newest date of the partition is beyond its end by
/// `lateness`. A message is late if a session of its own would be closed, and it isn't within one that is open.
public struct NATSSessions: Equatable, Sendable {
    /// After which time without a message a session ends. At least 1 ms.
    public let gap: Duration
    /// How long messages may be late. At least 0.
    public var lateness: Duration { closing.lateness }
    /// How far the date of a message may be beyond the time when the stream stored it. At least 0.
    public var maxAhead: Duration { closing.maxAhead }
    /// After which time without a message, while the server says that there is none, time goes on without messages. At least 1 s; nil
    /// for never.
    public var idleAfter: Duration? { closing.idleAfter }

    let closing: WindowClosing

    /// - Parameters:
    ///   - gap: After which time without a message of its key a session ends. At least 1 ms.
    ///   - lateness: How long messages may be late. At least 0.
    ///   - maxAhead: How far the date of a message may be beyond the time when the stream stored it. At least 0. A day, unless given.
    ///   - idleAfter: After which time without a message in a partition, while the server says that there is none, its newest date goes
    ///     on with the clock, as with ``NATSWindows``. At least 1 s; nil for never.
    public init(
        gap: Duration, lateness: Duration = .zero, maxAhead: Duration = .seconds(86_400), idleAfter: Duration? = nil
    ) {
        gap.requireMillisecond("gap")
        self.gap = gap
        closing = WindowClosing(lateness: lateness, maxAhead: maxAhead, idleAfter: idleAfter)
    }
}

/// When windows are closed, whatever they are.
struct WindowClosing: Equatable, Sendable {
    let lateness: Duration
    let maxAhead: Duration
    let idleAfter: Duration?

    /// Stops the program if one is out of its range.
    init(lateness: Duration, maxAhead: Duration, idleAfter: Duration?) {
        precondition(lateness >= .zero, "lateness is \(lateness), but must be at least 0")
        precondition(maxAhead >= .zero, "maxAhead is \(maxAhead), but must be at least 0")
        if let idleAfter {
            precondition(idleAfter >= .seconds(1), "idleAfter is \(idleAfter), but must be at least 1 s")
        }
        (self.lateness, self.maxAhead, self.idleAfter) = (lateness, maxAhead, idleAfter)
    }

    /// A date in milliseconds since 1970; nil if it is no date of a message that was stored then.
    func milliseconds(_ date: Date, storedAt stored: Date) -> Int64? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        // Also false for what is no number.
        guard abs(milliseconds) < Double(Duration.mostOfDates) else { return nil }
        return date.timeIntervalSince(stored) <= maxAhead.seconds ? Int64(milliseconds) : nil
    }

    /// Whether a window that ends at a time is closed.
    func isOver(_ end: Int64, newest: Int64) -> Bool { newest > .min && newest - end >= lateness.ofDates }
}

extension Duration {
    /// Up to here, each number of milliseconds is a `Double`, and sums of some don't overflow.
    static var mostOfDates: Int64 { 1 << 53 }

    /// In milliseconds, as what is added to dates: those are all within this.
    var ofDates: Int64 { min(milliseconds, Self.mostOfDates) }
}

extension Int64 {
    func rounded(downTo step: Int64) -> Int64 {
        let rest = self % step
        return self - (rest < 0 ? rest + step : rest)
    }
}

extension Date {
    /// - Parameter times: In milliseconds since 1970.
    static func range(_ times: Range<Int64>) -> Range<Date> {
        let dates = [times.lowerBound, times.upperBound].map { Date(timeIntervalSince1970: Double($0) / 1000) }
        return dates[0]..<dates[1]
    }
}
#endif
