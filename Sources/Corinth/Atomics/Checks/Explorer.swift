#if Exploration
    /// The interface between the engine's atomics and a controlled scheduler, in builds with the `Exploration` trait only.
    ///
    /// The engine calls ``before(_:on:at:)`` before each atomic operation. A test installs ``hook``, which may block the
    /// calling thread until the schedule selects it.
    @usableFromInline
    enum Explorer {
        @usableFromInline
        enum Operation: Equatable, Sendable {
            case load(LoadOrder)
            case store(StoreOrder, value: UInt64)
            case update(UpdateOrder)
            case compareExchange(UpdateOrder, expected: UInt64)
            case wait(UInt32)
            case wake(UInt32)
            case spin
            case heavyBarrier
        }

        @usableFromInline
        enum Verdict: Equatable, Sendable {
            /// Perform the operation.
            case proceed
            /// The hook has performed it. For `store`, `wait`, `wake` and `spin`.
            case done
            /// A seeded bug. A compare-exchange stores without comparing and reports success.
            case storeInstead
            /// A load returns this value, which may be older than the newest one, as the memory model allows. For an exchange
            /// or an addition it is a seeded bug: it returns this value and writes nothing.
            case stale(UInt64)
        }

        /// A limit of the engine that a scenario may lower.
        @usableFromInline
        enum Limit: Sendable {
            /// ``Strand/helpingBound``.
            case helping
            /// How often a thread spins before it sleeps.
            case spinning
            /// Whether words are biased to threads.
            case biasing
            /// How many threads the release of an ``OwnerFlag`` wakes.
            case waking
            /// How many bytes a ``BiasedWord`` has for its generations.
            case bytes
            /// ``Mailbox/streamingThreshold``.
            case streaming
            /// Whether the system has further threads.
            case threads
            /// ``Batch/overlap``. With it, waiting threads are leader and followers from the first wait on.
            case leading
            /// Whether a thread adds its events to bursts.
            case bursting
            /// ``CompositePopulation/least``.
            case sweeping
            /// A seeded bug: whether a thread that comes to its own bias from outside leaves its work to itself.
            case outsiders
            /// A seeded bug: whether a thread takes a list that isn't empty for one that has a reference to the strand's object.
            case keeping
            /// A seeded bug: whether a thread adds events to a burst of its own that isn't the newest node.
            case overtaking
        }

        /// Events of waiters. They reveal a waiter that is passed too often.
        enum Turn: Sendable {
            /// A waiter has joined the queue. Each served waiter may take `batch` permits at once.
            case joins(ObjectIdentifier, batch: UInt64)
            /// A permit was taken without joining the queue.
            case passes
            /// A waiter has been served.
            case served(ObjectIdentifier)
            /// A waiter continues without a permit.
            case leaves(ObjectIdentifier)
        }

        protocol Hook: AnyObject, Sendable {
            func turn(_ turn: Turn, for permits: UInt64)
            ///
            /// - Parameter mask: The bits of the word that are meant, if it is a byte.
            func before(
                _ operation: Operation, on address: UnsafeMutablePointer<UInt64>, mask: UInt64, at site: StaticString
            ) -> Verdict
            /// A light barrier. No thread can run between it and the operation before it, so it isn't scheduled.
            func lightBarrier(at site: StaticString)
            /// A non-atomic access to an object that one thread hands to another.
            func plain(_ object: ObjectIdentifier, isWrite: Bool)
            /// Work for a worker of the default pool. True if the hook runs it, on a thread under its control.
            func submit(_ work: @escaping @Sendable () -> Void) -> Bool
            /// Whether the calling thread is under the hook's control.
            var isControlled: Bool { get }
            /// The limit to use on the calling thread; nil for the usual one.
            func limit(_ limit: Limit) -> Int?
            /// The time on the calling thread, in nanoseconds; nil for the system's time. With the system's time, executions
            /// that depend on it aren't reproducible.
            var time: UInt64? { get }
        }

        /// Set before the threads under test start and cleared after they end; never while they run.
        nonisolated(unsafe) static var hook: (any Hook)?

        @usableFromInline
        static func before(
            _ operation: Operation, on address: UnsafeMutablePointer<UInt64>, at site: StaticString
        ) -> Verdict {
            guard let hook = unsafe hook else { return .proceed }
            return unsafe hook.before(operation, on: address, mask: .max, at: site)
        }

        @usableFromInline
        static func before(
            _ operation: Operation, onByte address: UnsafeMutablePointer<UInt8>, at site: StaticString
        ) -> Verdict {
            guard let hook = unsafe hook else { return .proceed }
            let word = unsafe UnsafeMutableRawPointer(address).assumingMemoryBound(to: UInt64.self)
            return unsafe hook.before(operation, on: word, mask: 0xFF, at: site)
        }

        @usableFromInline
        static func lightBarrier(at site: StaticString) { unsafe hook?.lightBarrier(at: site) }

        /// Stands for all words in operations without one.
        private nonisolated(unsafe) static let allWords: UnsafeMutablePointer<UInt64> = {
            let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
            unsafe word.initialize(to: 0)
            return unsafe word
        }()

        @usableFromInline
        static func heavyBarrier(at site: StaticString) {
            _ = unsafe before(.heavyBarrier, on: allWords, at: site)
        }

        @usableFromInline
        static func plain(_ object: AnyObject, isWrite: Bool) {
            unsafe hook?.plain(ObjectIdentifier(object), isWrite: isWrite)
        }

        static func turn(_ turn: Turn, for permits: UInt64) {
            unsafe hook?.turn(turn, for: permits)
        }

        /// Represents plain memory that isn't an object.
        @usableFromInline
        final class Mark: Sendable {
            @usableFromInline
            init() {}
        }

        @usableFromInline
        static var isControlled: Bool { unsafe hook?.isControlled ?? false }

        static func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
            unsafe hook?.submit(work) ?? false
        }

        @usableFromInline
        static func limit(_ limit: Limit, usually usual: Int) -> Int {
            unsafe hook?.limit(limit) ?? usual
        }

        /// See ``Limit/bytes``.
        @usableFromInline
        static var bytes: Int { limit(.bytes, usually: 8) }

        @usableFromInline
        static var time: UInt64? { unsafe hook?.time }
    }
#endif
