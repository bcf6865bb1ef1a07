internal import CCorinth
internal import Foundation

extension ThreadState {
    /// Notes what the calling thread is about to wait for. In debug builds alone.
    ///
    /// - Returns: True, to be asserted.
    @usableFromInline
    func note(awaited type: Any.Type) -> Bool {
        awaited = type
        return true
    }

    /// What this thread is about to wait for, if that is known.
    var awaited: Any.Type? {
        get { unsafe unsafeBitCast(state.pointee.awaited, to: Any.Type?.self) }
        nonmutating set { unsafe state.pointee.awaited = unsafeBitCast(newValue, to: UnsafeRawPointer?.self) }
    }
}

#if DEBUG && !Exploration
    /// Finds threads that hold a value each, by `modify`, and wait for each other's. In debug builds alone.
    ///
    /// A thread that is about to sleep for an ``OwnerFlag`` enters what it waits for, and goes from the holder of that to what the
    /// holder waits for, and so on. If that leads back to itself, nobody of them would ever go on.
    ///
    /// What is found is so. While the lock is held, no thread that is entered can release anything: it takes itself out first.
    /// The thread that closes a circle is the last to enter, and sees the others.
    final class DeadlockCheck: @unchecked Sendable {  // The lock guards the table.
        static let shared = DeadlockCheck()

        private struct Wait {
            let word: AtomicWord
            let type: Any.Type?
            let thread: String

            /// The holder's token, or 0.
            // relaxed: who has released it, and is entered, has entered after that, with the lock.
            var holder: UInt64 { word.load(.relaxed) & ~1 }

            var value: String { unsafe "\(type.map { "\($0)" } ?? "a value") (\(word.address))" }
        }

        private let lock = NSLock()

        /// By the token of the thread that waits.
        private var waits: [UInt64: Wait] = [:]

        private init() {}

        /// The calling thread is about to sleep. Stops the program if it would sleep for ever.
        func begin(_ word: AtomicWord) {
            let thread = ThreadState.current
            let wait = Wait(word: word, type: thread.awaited, thread: DeadlockCheck.describeThread())
            let circle = lock.withLock { () -> [Wait]? in
                waits[thread.token] = wait
                return self.circle(from: thread.token, wait)
            }
            if let circle { fatalError(DeadlockCheck.message(circle)) }
        }

        /// The calling thread has what it waited for.
        ///
        /// - Parameter isEntered: Whether it slept.
        func end(_ isEntered: Bool) {
            let thread = ThreadState.current
            thread.awaited = nil
            if isEntered { lock.withLock { waits[thread.token] = nil } }
        }

        /// Who waits for whom, from a thread to itself; nil if it isn't so. Each waits for what the next one holds.
        private func circle(from first: UInt64, _ wait: Wait) -> [Wait]? {
            var circle = [wait]
            var thread = wait.holder
            while thread != first {
                // A thread that is entered may have what it waits for, and be about to say so.
                guard circle.count <= waits.count, let next = waits[thread], next.holder != thread else { return nil }
                circle.append(next)
                thread = next.holder
            }
            return circle
        }

        private static func message(_ circle: [Wait]) -> String {
            let lines = circle.indices.map { index in
                let held = circle[(index + circle.count - 1) % circle.count]
                return "\n  \(circle[index].thread) changes \(held.value) and waits for \(circle[index].value)"
            }
            return """
                deadlock: modify was called inside modify, in opposite orders:\(lines.joined())
                Call one after the other, or all in the same order. With SWIFT_BACKTRACE=threads=all the backtrace shows where.
                """
        }

        private static func describeThread() -> String {
            var name = [CChar](repeating: 0, count: 64)
            let number = unsafe corinth_describe_thread(&name, UInt64(name.count))
            let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return text.isEmpty ? "thread \(number)" : "thread \(number) “\(text)”"
        }
    }
#endif
