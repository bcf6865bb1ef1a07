#if Exploration
    import CTestSupport
    @testable import Corinth
    import Foundation

    /// A thread of a scenario. It runs only when the execution resumes it.
    final class ControlledThread: @unchecked Sendable {  // Only the running thread touches the fields.
        enum State {
            case ready
            /// Spins until another thread has written.
            case spinning
            /// Sleeps on a word.
            case blocked(on: UInt)
            case finished
        }

        /// The thread's next operation.
        enum Pending {
            case start
            case operation(Explorer.Operation, on: UInt)
        }

        let id: Int
        let name: String
        let execution: Execution
        var state = State.ready
        var pending = Pending.start
        var clock: VectorClock

        /// Whether the thread does work that was submitted to a worker.
        var isWorker = false

        /// Whether the thread was chosen in order to start. Its first operation then needs no further choice.
        var isFresh = true

        /// How many writes the execution had counted when this thread last looked.
        var writesSeen = 0

        /// How many heavy barriers there had been at this thread's last light barrier or acquiring operation.
        var barriersKnown = 0

        /// Whether the thread has stored since its last barrier. Then its later loads may happen before the store, even before
        /// a heavy barrier of another thread, but not before the last light barrier or acquiring operation.
        var hasUnorderedStore = false

        /// The thread's stores that other threads don't see yet.
        var stores = StoreBuffer()

        /// What may interrupt the thread, once.
        var handler: (() -> Void)?

        /// Whether the thread has read an older value since its last spin.
        var sawOldValue = false

        private var body: (() -> Void)?
        private var carrier: Carrier?

        init(
            _ id: Int, _ name: String, in execution: Execution, clock: VectorClock,
            _ body: @escaping () -> Void
        ) {
            self.id = id
            self.name = name
            self.execution = execution
            self.clock = clock
            self.body = body
            self.clock.tick(id)
            carrier = Carrier.take { [self] in run() }
        }

        private func run() {
            ControlledThread.setCurrent(self)
            // A number of its own: the carrier may have run a thread of this execution that has ended, whose biases aren't this one's.
            ThreadState.current.bias = BiasedWord.biased
            record()
            body?()
            body = nil  // Releases the captures under control.
            #if !NaiveLocks
                ThreadState.current.forgetQueued()
            #endif
            test_accesses_end()
            if !ThreadState.current.ownsNone || ThreadState.current.hasDue {
                execution.fail(.broken("\(name) ends while it owns a strand"))
            }
            ControlledThread.setCurrent(nil)
            let carrier = self.carrier
            self.carrier = nil
            carrier?.release()
            execution.finish(self)
        }

        /// Lets this thread run.
        func resume() {
            carrier?.turn.signal()
        }

        /// Waits until the execution resumes this thread.
        func pause() {
            carrier?.turn.wait()
        }

        // MARK: Plain memory

        private var isUnrecorded = false

        /// From now on, the thread's accesses to plain memory are recorded. Only the thread itself calls this.
        private func record() {
            unsafe clock.withTimes { times in unsafe test_accesses_begin(CInt(id), times.baseAddress, CInt(times.count))
            }
        }

        /// Does something for the explorer or for the test, which isn't recorded. It has no atomic operation of the library's.
        func unrecorded<Result>(_ work: () -> Result) -> Result {
            precondition(!isUnrecorded, "\(name) comes to an atomic operation in what isn't recorded")
            isUnrecorded = true
            test_accesses_end()
            execution.checkAccesses(by: self)
            defer {
                record()
                isUnrecorded = false
            }
            return work()
        }

        // MARK: The calling thread

        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            unsafe pthread_key_create(&key, nil)
            return key
        }()

        /// The controlled thread that calls this, or nil.
        static var current: ControlledThread? {
            guard let pointer = unsafe pthread_getspecific(key) else { return nil }
            return unsafe Unmanaged<ControlledThread>.fromOpaque(pointer).takeUnretainedValue()
        }

        private static func setCurrent(_ thread: ControlledThread?) {
            unsafe pthread_setspecific(
                key, thread.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }

    extension ControlledThread.Pending {
        /// Whether the order of two threads' next operations can matter.
        func dependsOn(_ other: ControlledThread.Pending) -> Bool {
            guard case .operation(let mine, let place) = self, case .operation(let its, let itsPlace) = other
            else {
                return true
            }
            if mine == .spin || its == .spin || mine == .heavyBarrier || its == .heavyBarrier { return true }
            return place == itsPlace && (mine.kind != .load || its.kind != .load)
        }
    }

    /// Connects the library to the explorer. Installed once. Threads that no execution controls pass through.
    final class ExplorerHook: Explorer.Hook {
        static let installed: Void = { unsafe Explorer.hook = ExplorerHook() }()

        func before(
            _ operation: Explorer.Operation, on address: UnsafeMutablePointer<UInt64>, mask: UInt64,
            at site: StaticString
        ) -> Explorer.Verdict {
            guard let thread = ControlledThread.current else { return .proceed }
            if thread.handler != nil { thread.unrecorded { thread.execution.interruption(of: thread) }?() }
            return thread.unrecorded {
                unsafe thread.execution.step(thread, operation, on: address, mask: mask, at: site)
            }
        }

        func lightBarrier(at site: StaticString) {
            guard let thread = ControlledThread.current else { return }
            thread.unrecorded { thread.execution.lightBarrier(by: thread, at: site) }
        }

        func plain(_ object: ObjectIdentifier, isWrite: Bool) {
            guard let thread = ControlledThread.current else { return }
            thread.unrecorded { thread.execution.access(object, isWrite: isWrite, by: thread) }
        }

        func turn(_ turn: Explorer.Turn, for permits: UInt64) {
            guard let thread = ControlledThread.current else { return }
            thread.unrecorded { thread.execution.turn(turn, for: permits, by: thread) }
        }

        func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
            guard let thread = ControlledThread.current else { return false }
            thread.unrecorded { thread.execution.submit(work, from: thread) }
            return true
        }

        var isControlled: Bool { ControlledThread.current != nil }

        func limit(_ limit: Explorer.Limit) -> Int? {
            guard let bounds = ControlledThread.current?.execution.bounds else { return nil }
            return switch limit {
            case .helping: bounds.helping
            case .spinning: bounds.spinning
            case .biasing: bounds.isBiased ? 1 : 0
            case .waking: bounds.waking
            case .streaming: bounds.streaming
            case .bytes: bounds.sharesBytes ? 1 : 8
            case .threads: bounds.hasThreads ? 1 : 0
            case .leading: bounds.leading
            case .bursting: bounds.bursting
            case .sweeping: bounds.sweeping
            case .outsiders: bounds.forgetsOutsiders ? 1 : 0
            case .keeping: bounds.keepsAnyList ? 1 : 0
            case .overtaking: bounds.overtakes ? 1 : 0
            }
        }

        /// Time doesn't advance.
        var time: UInt64? { ControlledThread.current == nil ? nil : 0 }
    }
#endif
