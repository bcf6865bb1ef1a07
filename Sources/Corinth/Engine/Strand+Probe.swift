extension Strand {
    /// ``tryEnter()`` for a value sent from outside, with the probe that counts it.
    ///
    /// The probe is here, not before the call. The compiler assumes that a probe may change any memory, and would load the
    /// strand twice. Here, the subject is already in the register that the next instruction uses.
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
