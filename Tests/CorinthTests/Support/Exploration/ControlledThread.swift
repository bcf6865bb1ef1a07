#if Exploration
    @testable import Corinth
    import Foundation

    /// One thread of a scenario, which runs when the execution says so.
    final class ControlledThread: @unchecked Sendable {  // Only the thread whose turn it is touches anything.
        enum State {
            case ready
            /// Until another thread has written something.
            case spinning
            /// Asleep on a word.
            case blocked(on: UInt)
            case finished
        }

        /// What the thread does with its next turn.
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

        /// Whether it was chosen in order to start, so that its first operation needs no choice of its own.
        var isFresh = true

        /// How many writes the execution had seen when this thread looked last.
        var writesSeen = 0

        /// Whether it has read an older value since it spun last.
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
            body?()
            body = nil  // What it captured is released under control.
            if ThreadState.current.owned != 0 {
                execution.fail(.broken("\(name) ends while it owns a strand"))
            }
            ControlledThread.setCurrent(nil)
            let carrier = self.carrier
            self.carrier = nil
            carrier?.release()
            execution.finish(self)
        }

        /// Gives this thread its turn.
        func resume() {
            carrier?.turn.signal()
        }

        /// Waits for the next turn.
        func pause() {
            carrier?.turn.wait()
        }

        // MARK: The calling thread

        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            unsafe pthread_key_create(&key, nil)
            return key
        }()

        /// The controlled thread that the caller is, if it is one.
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
            if mine == .spin || its == .spin { return true }
            return place == itsPlace && (mine.kind != .load || its.kind != .load)
        }
    }

    /// The library's way to the explorer. Installed once; threads that no execution controls pass through.
    final class ExplorerHook: Explorer.Hook {
        static let installed: Void = { unsafe Explorer.hook = ExplorerHook() }()

        func before(
            _ operation: Explorer.Operation, on address: UnsafeMutablePointer<UInt64>, at site: StaticString
        ) -> Explorer.Verdict {
            guard let thread = ControlledThread.current else { return .proceed }
            return unsafe thread.execution.step(thread, operation, on: address, at: site)
        }

        func plain(_ object: ObjectIdentifier, isWrite: Bool) {
            guard let thread = ControlledThread.current else { return }
            thread.execution.access(object, isWrite: isWrite, by: thread)
        }

        func turn(_ turn: Explorer.Turn, for places: ObjectIdentifier) {
            guard let thread = ControlledThread.current else { return }
            thread.execution.turn(turn, for: places, by: thread)
        }

        func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
            guard let thread = ControlledThread.current else { return false }
            thread.execution.submit(work, from: thread)
            return true
        }

        var isControlled: Bool { ControlledThread.current != nil }

        func limit(_ limit: Explorer.Limit) -> Int? {
            guard let bounds = ControlledThread.current?.execution.bounds else { return nil }
            return switch limit {
            case .helping: bounds.helping
            case .spinning: bounds.spinning
            }
        }

        /// It stands still.
        var time: UInt64? { ControlledThread.current == nil ? nil : 0 }
    }
#endif
