internal import CCorinth

extension ThreadState {
    /// The loop of the thread scheduler that runs on this thread, for comparison.
    var loop: UnsafeMutableRawPointer? {
        get { unsafe state.pointee.loop }
        nonmutating set { unsafe state.pointee.loop = newValue }
    }

    /// Whether this thread may wait for capacity in a ring. It must not while it owns a strand, for which the ring's thread
    /// might wait, or during a termination, which never waits.
    var mayWaitForRing: Bool { ownsNone && !isEnding }
}
