/// Work of a scheduler's thread that can stop when what it delivers to is full, and is resumed when there is a place.
@usableFromInline
@safe class Resumable: @unchecked Sendable {  // Nothing here is mutable.
    @usableFromInline
    init() {}

    #if !NaiveLocks
        /// Has the work go on. Called once for each stop, on any thread: it only schedules.
        ///
        /// - Parameter batch: What it may take out of turn.
        @usableFromInline
        func resume(with batch: Batch) {}
    #endif
}

#if !NaiveLocks
    /// Work that is whatever a closure schedules.
    @usableFromInline
    final class ResumableAction: Resumable, @unchecked Sendable {  // As its superclass.
        private let action: @Sendable (Batch) -> Void

        @usableFromInline
        init(_ action: @escaping @Sendable (Batch) -> Void) {
            self.action = action
            super.init()
        }

        @usableFromInline
        override func resume(with batch: Batch) { action(batch) }
    }
#endif
