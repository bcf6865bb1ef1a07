public import CCorinth

/// The static probes `corinth:*`, for `perf/probes` and other tracers. An untraced probe costs a `nop`.
///
/// The subject identifies a signal. Signals that share a strand, such as a signal and its derived signals, have the same
/// subject.
@usableFromInline
enum Probe {
    /// A value is sent to the input of a signal or of a start: see `Strand.tryEnterToSend()`.
    @inlinable @inline(__always)
    static func send(_ strand: AnyObject) { unsafe ccorinth_probe_send(address(of: strand)) }

    /// Work found its strand owned and was queued.
    @inlinable @inline(__always)
    static func contended(_ strand: AnyObject) { unsafe ccorinth_probe_contended(address(of: strand)) }

    /// An owner has reached the helping bound and hands the strand over to a worker.
    @inlinable @inline(__always)
    static func handover(_ strand: AnyObject) { unsafe ccorinth_probe_handover(address(of: strand)) }

    /// A sender is about to sleep because an inbox or a mailbox is full.
    @inlinable @inline(__always)
    static func wait(_ subject: AnyObject) { unsafe ccorinth_probe_wait(address(of: subject)) }

    /// An event is posted to the mailbox of a scheduler.
    @inlinable @inline(__always)
    static func hop(_ mailbox: AnyObject) { unsafe ccorinth_probe_hop(address(of: mailbox)) }

    /// A mailbox requests a drain from its scheduler.
    @inlinable @inline(__always)
    static func wake(_ mailbox: AnyObject) { unsafe ccorinth_probe_wake(address(of: mailbox)) }

    /// A value isn't delivered: its stream has ended, it has no observer, or a buffer is full.
    @inlinable @inline(__always)
    static func drop(_ subject: AnyObject) { unsafe ccorinth_probe_drop(address(of: subject)) }

    /// Nothing was delivered for a whole stall timeout, and one more capacity is admitted.
    static func stall(_ subject: UnsafeRawPointer) { unsafe ccorinth_probe_stall(subject) }

    /// A strand without a thread is adopted by a thread that would have slept, or by the next sending thread.
    static func adopt(_ strand: AnyObject) { unsafe ccorinth_probe_adopt(address(of: strand)) }

    /// A permit beyond the bound is taken because of a cycle.
    static func beyond(_ subject: UnsafeRawPointer) { unsafe ccorinth_probe_beyond(subject) }

    @inlinable @inline(__always)
    static func address(of object: AnyObject) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}
