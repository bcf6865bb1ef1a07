@usableFromInline
enum TakeFirst {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(into next: Next, _ count: Int) -> Sink<Next.Value, Next.Error> {
        let left = OperatorState(count)
        return Sink(
            value: {
                // Negative if the source still sends after the end, for example in a loop or on its strand.
                left.value &-= 1
                if left.value >= 0 { next.receive($0) }
                if left.value == 0 { next.terminate(.completed) }
            },
            termination: { if left.value > 0 { next.terminate($0) } })
    }
}

/// How many values a stage still forwards, in the place of its closure: see ``Stage``.
@frozen
@usableFromInline
struct Countdown: ~Copyable {
    /// Negative if the source still sends after the end, for example in a loop or on its strand.
    @usableFromInline var left: Int

    /// A closure without captures has nothing to release.
    private let captures = 0

    @usableFromInline
    init(_ left: Int) { self.left = left }
}

extension Signal {
    /// Forwards the first `count` values, then completes. If `count` is 0, completes at once.
    ///
    /// - Parameter count: The number of values to forward. At least 0.
    /// - Complexity: O(1) and no allocation per value.
    @inlinable @inline(__always)
    public func take(first count: Int) -> Signal<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        if count == 0 { return .empty }
        // The `Signal` is made in the caller, as in `map(_:)`.
        defer { withExtendedLifetime(self) {} }
        return Signal(core.take(first: count))
    }
}

extension SignalCore {
    // Not inlined, as in `map(_:)`.
    @inlinable
    @inline(never)
    func take(first count: Int) -> SignalCore<Value, Error> {
        guard Strand.isShared else { return derive { TakeFirst.kernel(into: $0, count) } }
        let stage = Stage<Value, Error>(from: self, Countdown(count))
        return attach(stage) { stage in
            { value in
                let countdown = unsafe stage.operation(Countdown.self)
                unsafe countdown.pointee.left &-= 1
                if unsafe countdown.pointee.left >= 0 { stage.receive(value) }
                if unsafe countdown.pointee.left == 0 { stage.terminate(.completed) }
            }
        }
    }
}

extension SignalProducer {
    /// Forwards the first `count` values, then completes and disposes of the source. If `count` is 0, interrupts at once.
    /// See ``Signal/take(first:)``.
    @inlinable
    public func take(first count: Int) -> SignalProducer<Value, Error> {
        precondition(count >= 0, "count is \(count), but must be at least 0")
        // A start behaves like a signal that has completed before it is observed: it interrupts (law S4).
        if count == 0 { return SignalProducer(recipe: { _, sink, _ in sink.onTermination(.interrupted) }) }
        return fuseEnding { TakeFirst.kernel(into: $0, count) }
    }
}
