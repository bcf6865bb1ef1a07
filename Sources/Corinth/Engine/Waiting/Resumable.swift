#if !NaiveLocks
    /// Work of a scheduler's thread. It stops when its destination is full, and is resumed when a permit is free.
    @usableFromInline
    @safe class Resumable: @unchecked Sendable {  // Immutable.
        @usableFromInline
        init() {}

        /// Resumes the work. Called once for each stop, on any thread: it only schedules.
        ///
        /// - Parameter batch: The permits that it may take out of order.
        @usableFromInline
        func resume(with batch: Batch) {}
    }

    /// Work that a closure resumes.
    @usableFromInline
    final class ResumableAction: Resumable, @unchecked Sendable {  // See the superclass.
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
