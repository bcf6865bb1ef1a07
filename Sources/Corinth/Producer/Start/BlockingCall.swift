#if DEBUG && !Exploration
    internal import Dispatch

    /// A call that blocks a thread until a start has ended: `first()`, `wait()` and their kin. Debug builds find those that wait for
    /// themselves.
    ///
    /// It follows the start from its end to its source, as long as each stage has one input: all events come through the same
    /// schedulers and strands. If the blocked thread runs one of them, none can come.
    @usableFromInline
    final class BlockingCall: BlockingResource, @unchecked Sendable {  // The check's lock guards the mutable fields.
        private let name: StaticString
        private let producer: Any.Type
        private let thread = ThreadState.current.token

        /// What every event comes through, beginning at the end of the start.
        private var sources: [any BlockingSource] = []

        /// What the blocked thread runs itself.
        private var own: (any BlockingSource)?

        private let scheduledBefore = BlockingCall.scheduled

        // relaxed: the check's lock orders it.
        private let isOver = AtomicFlag()

        init(_ name: StaticString, of producer: Any.Type) {
            self.name = name
            self.producer = producer
        }

        /// Blocks the thread until the start has ended.
        func wait(for ended: DispatchSemaphore) {
            if ended.wait(timeout: .now()) == .success { return }
            DeadlockCheck.shared.change(of: thread) { own = sources.first { $0.isHeldHere } }
            DeadlockCheck.shared.begin(self)
            if ended.wait(timeout: .now() + BlockingCall.patience) == .timedOut {
                warn()
                ended.wait()
            }
            DeadlockCheck.shared.end()
        }

        /// The start has ended.
        func end() { _ = isOver.tryRaise(.relaxed) }

        /// From here on, events come through a source, too.
        func add(_ source: any BlockingSource) {
            DeadlockCheck.shared.change(of: thread) {
                sources.append(source)
                if source.holder == thread { own = source }
            }
        }

        /// Events come through the last source no longer.
        func removeLast() {
            DeadlockCheck.shared.change(of: thread) { sources.removeLast() }
        }

        // MARK: The check

        var holder: UInt64 {
            if isOver.isRaised(.relaxed) { return 0 }
            // Of another thread that stands, only the last source is sure to keep events back. They may have passed the others.
            return own == nil ? sources.first?.holder ?? 0 : thread
        }

        var awaited: String {
            "an event of \(producer), which \((own ?? sources.first)?.description ?? "") has to deliver"
        }

        var held: String { "blocks in \(name)" }

        // MARK: A warning

        private static let patience = 2.0

        /// Says what the call keeps from running. Whether the start needs it is unknown: it has several inputs.
        private func warn() {
            let isInCallback = !ThreadState.current.ownsNone
            guard isInCallback || BlockingCall.scheduled != scheduledBefore else { return }
            let place = isInCallback ? "in the callback of a stream" : "on a scheduler that has more to do"
            let text = """
                warning: \(name) of \(producer) has blocked \(DeadlockCheck.describeThread()) for \
                \(Int(BlockingCall.patience)) s \(place). It never returns if it needs what waits there.
                """
            StandardError.write(line: text)
        }

        /// How much was ever scheduled on what this thread runs.
        private static var scheduled: UInt64 {
            var sum: UInt64 = 0
            RunningContexts.ofThread.forEach { sum &+= $0.order.count.load(.relaxed) }
            return sum
        }
    }

    /// What every event of a start comes through.
    protocol BlockingSource: CustomStringConvertible {
        /// Whether the calling thread holds it, so that nothing comes through before the thread continues.
        var isHeldHere: Bool { get }

        /// The token of the thread that holds it, if it is known; otherwise 0.
        var holder: UInt64 { get }
    }

    /// A scheduler that delivers the events of a start.
    private struct DeliveringScheduler: BlockingSource {
        /// nil for a scheduler that may run its actions anywhere.
        let context: SerialContext?
        let description: String

        init(_ scheduler: any Scheduler) {
            let runner = scheduler.runner
            context = runner is UIScheduler ? nil : (runner as? any WorkItemScheduler)?.context
            let name = (scheduler as? QueueScheduler)?.queue.label ?? (scheduler as? ThreadScheduler)?.name
            description = "\(type(of: scheduler))\(name.map { " “\($0)”" } ?? "")"
        }

        var isHeldHere: Bool { context?.isCurrent == true }
        var holder: UInt64 { context.map { $0.isSerial ? $0.holder : 0 } ?? 0 }
    }

    /// A signal that sends the events of a start.
    private struct SendingSignal: BlockingSource {
        let strand: Strand
        let type: Any.Type

        var isHeldHere: Bool { strand.isHeldHere }
        var holder: UInt64 { strand.owner.load(.relaxed) }
        var description: String { "\(type), in whose callback it is," }
    }
#endif

// What release builds compile to nothing.
extension ProducerRun {
    /// All events of this start come through a scheduler.
    @inlinable @inline(__always)
    func passes(through scheduler: any Scheduler) {
        #if DEBUG && !Exploration
            note(scheduler)
        #endif
    }

    /// All events of this start come from a signal, which sends nothing at the start.
    @inlinable @inline(__always)
    func passes(through strand: Strand, of type: Any.Type) {
        #if DEBUG && !Exploration
            note(strand, type)
        #endif
    }

    /// This start has several sources, or one that isn't known.
    // Transparent, so that it takes no stack without optimisation either.
    @_transparent @usableFromInline
    func hasManySources() {
        #if DEBUG && !Exploration
            blocks = nil
        #endif
    }

    #if DEBUG && !Exploration
        @usableFromInline
        func note(_ scheduler: any Scheduler) {
            blocks?.add(DeliveringScheduler(scheduler))
        }

        @usableFromInline
        func follow(_ run: ProducerRun) {
            run.blocks?.removeLast()
            blocks = run.blocks
        }

        @usableFromInline
        func note(_ strand: Strand, _ type: Any.Type) { blocks?.add(SendingSignal(strand: strand, type: type)) }
    #endif
}

extension SignalProducer {
    /// This producer, all events of which become those of `run`.
    ///
    /// - Parameter scheduler: The scheduler that begins it, and through which nothing has to come any more; nil if it isn't known.
    @inlinable @inline(__always)
    func whole(of run: ProducerRun, passing scheduler: (any Scheduler)?) -> SignalProducer {
        #if DEBUG && !Exploration
            guard scheduler != nil else { return self }
            return SignalProducer(
                over: depth,
                recipe: { _, sink, inner in
                    inner.follow(run)
                    self.begin(sink, inner)
                })
        #else
            return self
        #endif
    }
}
