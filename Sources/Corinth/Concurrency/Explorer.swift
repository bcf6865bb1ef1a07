#if Exploration
    /// The seam between the engine's atomics and a controlled scheduler, in builds with the `Exploration` trait only.
    ///
    /// The engine calls ``before(_:on:at:)`` ahead of each atomic operation. A test installs ``hook``, which may keep
    /// the calling thread waiting until the schedule says that it is its turn.
    @usableFromInline
    enum Explorer {
        @usableFromInline
        enum Operation: Equatable, Sendable {
            case load(LoadOrder)
            case store(StoreOrder)
            case update(UpdateOrder)
            case compareExchange(UpdateOrder, expected: UInt64)
            case wait(UInt32)
            case wake(UInt32)
            case spin
        }

        @usableFromInline
        enum Verdict: Equatable, Sendable {
            /// Go on with the operation.
            case proceed
            /// The hook has done it: of `wait`, `wake` and `spin`.
            case done
            /// A seeded bug: of a compare-exchange, store without comparing, and take it for won.
            case storeInstead
            /// Of a load: this is what it returns. An older value than the newest, as the memory model allows. Of an exchange or an
            /// addition: a seeded bug; it returns this and writes nothing.
            case stale(UInt64)
        }

        /// A number of the engine's that a scenario may need to be smaller.
        enum Limit: Sendable {
            /// ``Strand/helpingBound``.
            case helping
            /// How many turns a thread spins before it sleeps.
            case spinning
        }

        /// What happens to those who wait for places, so that one who is passed too often is found.
        enum Turn: Sendable {
            /// A waiter has joined the queue, in which each who is served may take so many places at once.
            case joins(ObjectIdentifier, batch: UInt64)
            /// A place was taken without joining the queue.
            case passes
            /// A waiter has been served.
            case served(ObjectIdentifier)
            /// A waiter goes on without a place.
            case leaves(ObjectIdentifier)
        }

        protocol Hook: AnyObject, Sendable {
            func turn(_ turn: Turn, for places: ObjectIdentifier)
            func before(
                _ operation: Operation, on address: UnsafeMutablePointer<UInt64>, at site: StaticString
            ) -> Verdict
            /// A non-atomic access to an object that one thread hands to another.
            func plain(_ object: ObjectIdentifier, isWrite: Bool)
            /// Work for a worker of the default pool: true if the hook runs it, on a thread under its control.
            func submit(_ work: @escaping @Sendable () -> Void) -> Bool
            /// Whether the calling thread is under the hook's control.
            var isControlled: Bool { get }
            /// The number to use on the calling thread, if it isn't the usual one.
            func limit(_ limit: Limit) -> Int?
            /// The time on the calling thread, in nanoseconds, if it isn't the system's. What depends on the time would not
            /// be the same in each execution.
            var time: UInt64? { get }
        }

        /// Set before the threads under test start and cleared after they ended; never while they run.
        nonisolated(unsafe) static var hook: (any Hook)?

        @usableFromInline
        static func before(
            _ operation: Operation, on address: UnsafeMutablePointer<UInt64>, at site: StaticString
        ) -> Verdict {
            guard let hook = unsafe hook else { return .proceed }
            return unsafe hook.before(operation, on: address, at: site)
        }

        @usableFromInline
        static func plain(_ object: AnyObject, isWrite: Bool) {
            unsafe hook?.plain(ObjectIdentifier(object), isWrite: isWrite)
        }

        static func turn(_ turn: Turn, for places: AnyObject) {
            unsafe hook?.turn(turn, for: ObjectIdentifier(places))
        }

        /// Stands for plain memory that is no object of its own, and lives at least as long.
        final class Mark: Sendable {}

        static var isControlled: Bool { unsafe hook?.isControlled ?? false }

        static func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
            unsafe hook?.submit(work) ?? false
        }

        static func limit(_ limit: Limit, usually usual: Int) -> Int {
            unsafe hook?.limit(limit) ?? usual
        }

        static var time: UInt64? { unsafe hook?.time }
    }
#endif
