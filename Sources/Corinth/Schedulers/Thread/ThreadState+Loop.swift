internal import CCorinth

extension ThreadState {
    /// The loop of the thread scheduler that runs on this thread, for comparison.
    var loop: UnsafeMutableRawPointer? {
        get { unsafe state.pointee.loop }
        nonmutating set { unsafe state.pointee.loop = newValue }
    }
}
