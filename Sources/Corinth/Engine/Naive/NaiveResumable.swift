#if NaiveLocks
    /// Work of a scheduler's thread. A thread without a permit waits in place here, so nothing is resumed.
    @usableFromInline
    class Resumable: @unchecked Sendable {  // Immutable.
        @usableFromInline
        init() {}
    }

    /// Nobody looks after workers here, so each work has a thread at once.
    extension Workers {
        static let usualLimit = Int.max
        static let areWatched = true

        func watch() {}
    }
#endif
