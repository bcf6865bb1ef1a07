extension Strand {
    /// ``enter()`` for a value sent from outside, with the probe that counts it.
    ///
    /// The probe is here, not before the call. The compiler assumes that a probe may change any memory, and would load the
    /// strand twice. Here, the subject is already in the register that the next instruction uses.
    @inlinable @inline(__always)
    func enterToSend() -> Owned? {
        Probe.send(self)
        return enter()
    }

    /// The same with ``enterAtOnce()``.
    @inlinable @inline(__always)
    func enterToSendAtOnce() -> Owned? {
        Probe.send(self)
        return enterAtOnce()
    }
}

// A strand that is used without counting a reference to it.
extension Unmanaged<Strand> {
    @inlinable @inline(__always)
    func withStrand<Result: ~Copyable>(_ body: (Strand) -> Result) -> Result {
        // The function of the library returns only what can be copied.
        var result: Result?
        unsafe _withUnsafeGuaranteedRef { result = body($0) }
        return result.take()!
    }

    @inlinable @inline(__always)
    func enter() -> Owned? { unsafe withStrand { $0.enter() } }

    @inlinable @inline(__always)
    func leave(_ owned: consuming Owned) {
        // A closure can't consume what it captures.
        owned.end()
        unsafe _withUnsafeGuaranteedRef { $0.leave(Owned()) }
    }
}
