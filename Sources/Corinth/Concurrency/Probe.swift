public import CCorinth

/// The static probes `corinth:*`, for `perf/probes` and whatever else can trace them. One that nobody traces costs a `nop`.
///
/// The subject tells one signal from another: those that share a strand, as a signal and what derives from it, are one.
@usableFromInline
enum Probe {
    /// A value that is sent to the input of a signal, or of a start: see `Strand.tryEnterToSend()`.
    @inlinable @inline(__always)
    static func send(_ strand: Strand) { unsafe corinth_probe_send(address(of: strand)) }

    /// Work that found its strand owned, and was queued.
    @inlinable @inline(__always)
    static func contended(_ strand: Strand) { unsafe corinth_probe_contended(address(of: strand)) }

    /// An owner that has helped enough and hands the strand to a worker.
    @inlinable @inline(__always)
    static func handover(_ strand: Strand) { unsafe corinth_probe_handover(address(of: strand)) }

    /// A sender that is about to sleep because an inbox or a mailbox is full.
    @inlinable @inline(__always)
    static func wait(_ subject: AnyObject) { unsafe corinth_probe_wait(address(of: subject)) }

    /// An event that is posted to the mailbox of a scheduler.
    @inlinable @inline(__always)
    static func hop(_ mailbox: AnyObject) { unsafe corinth_probe_hop(address(of: mailbox)) }

    /// A mailbox that asks its scheduler for a drain.
    @inlinable @inline(__always)
    static func wake(_ mailbox: AnyObject) { unsafe corinth_probe_wake(address(of: mailbox)) }

    /// A value that reaches nobody: its stream has ended, nothing observes it, or it finds no room.
    @inlinable @inline(__always)
    static func drop(_ subject: AnyObject) { unsafe corinth_probe_drop(address(of: subject)) }

    /// Nothing was delivered for a whole stall timeout, and one more capacity is admitted.
    static func stall(_ subject: AnyObject) { unsafe corinth_probe_stall(address(of: subject)) }

    /// A strand without a thread is taken by one that would have slept, or by the next that came.
    static func adopt(_ strand: Strand) { unsafe corinth_probe_adopt(address(of: strand)) }

    /// A place beyond the bound, for what was found to wait for itself.
    static func beyond(_ subject: AnyObject) { unsafe corinth_probe_beyond(address(of: subject)) }

    @inlinable @inline(__always)
    static func address(of object: AnyObject) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}

extension Strand {
    /// ``tryEnter()`` for a value that comes from outside, with the probe that counts it.
    ///
    /// Here, and not before the call: the compiler takes it that a probe may change any memory, and would load the strand
    /// twice. As it is, the subject is in the register in which the next instruction wants it.
    @inlinable @inline(__always)
    func tryEnterToSend() -> Bool {
        Probe.send(self)
        return tryEnter()
    }

    /// The same with ``tryEnterAtOnce()``.
    @inlinable @inline(__always)
    func tryEnterToSendAtOnce() -> Bool {
        Probe.send(self)
        return tryEnterAtOnce()
    }
}
