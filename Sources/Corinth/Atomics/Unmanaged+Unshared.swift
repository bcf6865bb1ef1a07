public import CCorinth

extension Unmanaged {
    /// Retains an object that no other thread knows yet. This needs no locked instruction: whatever makes the object known to
    /// another thread also publishes the count.
    @inlinable @inline(__always)
    func retainedUnshared() -> Unmanaged {
        unsafe corinth_retain_unshared(toOpaque())
        return unsafe self
    }
}
