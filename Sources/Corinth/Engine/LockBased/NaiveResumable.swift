#if NaiveLocks
    /// Work of a scheduler's thread. A thread without a permit waits in place here, so nothing is resumed.
    @usableFromInline
    class Resumable: @unchecked Sendable {  // Immutable.
        @usableFromInline
        init() {}
    }

    extension Worker {
        /// Submits work that no other thread would do.
        @usableFromInline
        static func submitSurely(_ work: @escaping @Sendable () -> Void) { submit(work) }
    }
#endif
