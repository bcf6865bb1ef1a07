/// Passes on the values of all sources. It completes when all have completed. A failure ends it at once.
@usableFromInline
final class Merge<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    /// Whether a source that is interrupted interrupts the result, or counts as complete.
    @usableFromInline let passesInterruption: Bool

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        passesInterruption = false
        super.init(output, sources: sources)
        if sources == 0 { strand.perform(on: self, with: ()) { merge, _ in merge.terminate(.completed) } }
    }

    /// - Parameter interruptible: What passes an interruption on.
    @inlinable
    init(interruptible output: JoinOutput<Next>, sources: Int) {
        passesInterruption = true
        super.init(output, sources: sources)
    }

    /// Interrupts the result. Called by any thread.
    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { merge, _ in merge.terminate(.interrupted) }
    }

    @inlinable @inline(__always)
    func receive(_ value: Next.Value) {
        if !isTerminated { next.receive(value) }
    }

    @inlinable
    var port: Sink<Next.Value, Next.Error> {
        // Captured by itself: reached through this, it would be retained for each value.
        let strand = strand
        return Sink(
            value: { value in
                if strand.tryEnter() {
                    self.receive(value)
                    strand.leave()
                } else {
                    strand.queue(value, for: self) { merge, value in merge.receive(value) }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { merge, termination in
                    switch termination {
                    case .failed: merge.terminate(termination)
                    case .interrupted where merge.passesInterruption: merge.terminate(termination)
                    case .interrupted, .completed:
                        merge.active -= 1
                        if merge.active == 0 { merge.terminate(.completed) }
                    }
                }
            })
    }
}

extension Signal {
    /// Passes on the values of all the signals, in the order in which they come.
    ///
    /// Completes when all have ended; fails when one fails.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public static func merge<Signals: Sequence>(_ signals: Signals) -> Signal<Value, Error>
    where Signals.Element == Signal<Value, Error> {
        let signals = Array(signals)
        return joining { output in
            let merge = Merge(output, sources: signals.count)
            for signal in signals { signal.connect(to: merge.port, until: output.resources) }
        }
    }

    /// Passes on the values of all the signals. See ``merge(_:)-(Signals)``.
    @inlinable
    public static func merge(_ signals: Signal...) -> Signal {
        merge(signals)
    }

    /// Passes on the values of both signals. See ``merge(_:)-(Signals)``.
    @inlinable
    public func merge(with other: Signal) -> Signal {
        Signal.merge([self, other])
    }
}
