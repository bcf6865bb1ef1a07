extension Inspector {
    /// A buffer has given up its bound: see ``Inspector/onStall(_:)``.
    public struct Stall: Sendable, CustomStringConvertible {
        /// Why a bound is given up.
        public enum Kind: String, Sendable {
            /// Nothing was delivered for the stall timeout, so one more capacity was admitted.
            case stall
            /// A value went beyond the bound, because its sender would have waited for itself.
            case beyond
        }

        /// Why it was given up.
        public let kind: Kind

        /// The address of the buffer, as the probes `stall` and `beyond` have it. Another buffer may have it later.
        public let address: UInt

        /// The stream or the hop, with the addresses of its maker and its figures as they are now; nil if ``Inspector`` doesn't show
        /// it, because it is off, because this was made before or has ended, or because it is the buffer of something else.
        public let node: Snapshot.Node?

        /// How many values were queued.
        public let depth: Int

        /// The bound, in values, without what was admitted since.
        public let capacity: Int

        /// When: nanoseconds of the monotonic clock.
        public let time: UInt64

        /// How often, since this buffer was reported last for the same reason. The other figures are those of the last time.
        public let count: Int

        init(_ bound: BrokenBound, in snapshot: Snapshot?) {
            kind =
                switch bound.kind {
                case .stall: .stall
                case .beyond: .beyond
                }
            address = bound.subject
            // A node that is younger has got the memory of the buffer.
            node = snapshot?.nodes.first { $0.queue == bound.queue && $0.queue != 0 && $0.since <= bound.time }
            depth = Int(clamping: bound.depth)
            capacity = Int(clamping: bound.capacity)
            time = bound.time
            count = bound.count
        }

        /// What the inspector calls it: see ``Inspector/Snapshot/Node/name``.
        public var name: String? { node?.name }

        /// Such as `stall of parser: 65 of 64 queued, 3 times`.
        public var description: String {
            let name = name ?? node?.type ?? "the buffer at 0x\(String(address, radix: 16))"
            return "\(kind.rawValue) of \(name): \(depth) of \(capacity) queued, \(count) times"
        }
    }

    /// Calls a closure soon after a buffer has given up its bound: the event of which the operators of a service should know.
    ///
    /// ```swift
    /// Inspector.onStall { logger.warning("\($0)") }
    /// ```
    ///
    /// It works whether or not the inspector is on. While it is on, the closure gets the name and the place of the buffer, too. Stops
    /// the program if the system has no thread.
    ///
    /// - Parameter action: Called at most once a second for each buffer and kind, with a count: at once if nothing was reported for
    ///   a second, or else when that has passed. At most 256 buffers are reported in a second; the rest are only counted, in
    ///   ``Snapshot/stalls`` and ``Snapshot/beyond``.
    /// - Returns: A disposable that ends the calls. One may be in progress when `dispose` returns. `action` is released after it.
    /// - Complexity: Nothing for a value that finds a permit. Where a bound is given up, O(*n*) for the *n* buffers that
    ///   gave up theirs in that second, and at most one allocation. While the inspector is on, a call of ``snapshot()`` in each
    ///   second with a report.
    /// ## Concurrency
    /// Any thread. `action` runs on a thread of its own, which sleeps otherwise, and nothing is held: it may block, send, and dispose.
    /// It isn't called in a child of `fork`.
    @discardableResult
    public static func onStall(_ action: @escaping @Sendable (Stall) -> Void) -> any Disposable {
        let listener = BoundListener()
        let isStarted = Thread.tryStart(named: "corinth.stalls") {
            listener.run { bounds in
                let snapshot = isOn ? snapshot() : nil
                for bound in bounds where !listener.isClosed { action(Stall(bound, in: snapshot)) }
            }
        }
        precondition(isStarted, "the system could not start the thread of Inspector.onStall")
        return AnyDisposable { listener.close() }
    }
}
