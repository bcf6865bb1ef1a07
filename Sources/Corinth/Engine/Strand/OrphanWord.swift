#if !NaiveLocks
    /// Whether a strand has an owner without a thread, and who may adopt it.
    enum OrphanWord: UInt64, WordState, CaseIterable, Sendable {
        /// It has no owner, or one with a thread.
        case none
        /// It waits for a worker, or for a thread that would otherwise sleep for a permit.
        case handedOver
        /// The next thread that comes adopts it.
        case offered

        /// The state after a thread has adopted it; nil if it has one.
        func adopting() -> OrphanWord? { self == .none ? nil : OrphanWord.none }
    }
#endif
