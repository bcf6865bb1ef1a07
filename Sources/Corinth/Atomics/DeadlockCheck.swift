internal import CCorinth
internal import Foundation

extension ThreadState {
    /// Records what the calling thread is about to wait for. Debug builds only.
    ///
    /// - Returns: True, for an assertion.
    @usableFromInline
    func note(awaited type: Any.Type) -> Bool {
        awaited = type
        return true
    }

    /// What this thread is about to wait for, if known.
    var awaited: Any.Type? {
        get { unsafe unsafeBitCast(state.pointee.awaited, to: Any.Type?.self) }
        nonmutating set { unsafe state.pointee.awaited = unsafeBitCast(newValue, to: UnsafeRawPointer?.self) }
    }
}

#if DEBUG && !Exploration
    /// Detects threads that wait for one another, each inside a `modify` of a value. Debug builds only.
    ///
    /// A thread that is about to sleep for an ``OwnerFlag`` records its wait. Then it follows the chain: from the flag to its
    /// holder, from the holder to the flag that the holder waits for, and so on. If the chain returns to the thread, none of
    /// these threads can ever continue.
    ///
    /// There are no false reports. While the lock is held, no recorded thread can release anything, because it first removes
    /// its record. The thread that closes a cycle is the last to record itself, and sees the others.
    final class DeadlockCheck: @unchecked Sendable {  // The lock guards the table.
        static let shared = DeadlockCheck()

        @safe private struct Wait {
            let word: UnsafeMutablePointer<AtomicWord>
            let bias: UnsafePointer<BiasedWord>?
            let type: Any.Type?
            let thread: String

            /// The holder's token, or 0.
            // relaxed: a thread that released the flag and is recorded was recorded after the release, under the lock.
            var holder: UInt64 {
                let seen = unsafe OwnerWord(bits: word.pointee.load(.relaxed))
                // If the flag is biased or unclaimed, its token is that of a thread that may be inside. If that thread is
                // recorded, its mark says so: it isn't about to enter or to leave.
                guard seen.isBiased || seen.isUnclaimed else { return seen.holder }
                return unsafe bias?.pointee.isInside(seen.bits) == true ? seen.holder : 0
            }

            var value: String { unsafe "\(type.map { "\($0)" } ?? "a value") (\(word))" }
        }

        private let lock = NSLock()

        /// By the token of the waiting thread.
        private var waits: [UInt64: Wait] = [:]

        private init() {}

        /// Called when the calling thread is about to sleep. Stops the program if it would sleep for ever.
        func begin(_ flag: borrowing OwnerFlag, _ bias: UnsafePointer<BiasedWord>?) {
            let thread = ThreadState.current
            let wait = unsafe Wait(
                word: AtomicWord.at(flag.word.word.address), bias: bias, type: thread.awaited,
                thread: DeadlockCheck.describeThread())
            let circle = lock.withLock { () -> [Wait]? in
                waits[thread.token] = wait
                return self.circle(from: thread.token, wait)
            }
            if let circle { fatalError(DeadlockCheck.message(circle)) }
        }

        /// Called when the wait of the calling thread has ended.
        ///
        /// - Parameter isEntered: Whether it slept.
        func end(_ isEntered: Bool) {
            let thread = ThreadState.current
            thread.awaited = nil
            if isEntered { lock.withLock { waits[thread.token] = nil } }
        }

        /// The cycle of waits from a thread to itself; nil if there is none. Each thread waits for what the next one holds.
        private func circle(from first: UInt64, _ wait: Wait) -> [Wait]? {
            var circle = [wait]
            var thread = wait.holder
            while thread != first {
                // A recorded thread may have got its flag already and be about to remove its record.
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
