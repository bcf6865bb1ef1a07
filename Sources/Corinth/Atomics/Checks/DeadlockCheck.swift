internal import CCorinth
internal import Dispatch

#if DEBUG && !Exploration
    /// What a thread waits for that only another thread, or none, can give.
    protocol BlockingResource {
        /// The token of the thread that has to give it, if it is known; otherwise 0. Asked with the check's lock held.
        var holder: UInt64 { get }

        /// For a message: “… waits for *this*”.
        var awaited: String { get }

        /// For a message: the holder “… *this* and waits for …”.
        var held: String { get }
    }

    /// Detects threads that wait for one another, or for themselves. Debug builds only.
    ///
    /// A thread that is about to sleep for an ``OwnerFlag`` or for a stream's end records its wait. Then it follows the chain: from
    /// what it waits for to the thread that holds it, from there to what that thread waits for, and so on. If the chain returns to
    /// the thread, none of these threads can ever continue.
    ///
    /// There are no false reports. While the lock is held, no recorded thread can release anything, because it first removes
    /// its record. The thread that closes a cycle is the last to record itself, and sees the others.
    final class DeadlockCheck: @unchecked Sendable {  // The lock guards the table.
        static let shared = DeadlockCheck()

        private struct Wait {
            let resource: any BlockingResource
            let thread: String
        }

        private let lock = DispatchSemaphore(value: 1)

        /// By the token of the waiting thread.
        private var waits: [UInt64: Wait] = [:]

        private init() {}

        /// On a semaphore: the library's own flags use this check.
        private func locked<Result>(_ body: () -> Result) -> Result {
            lock.wait()
            defer { lock.signal() }
            return body()
        }

        /// Called when the calling thread is about to sleep. Stops the program if it would sleep for ever.
        func begin(_ resource: any BlockingResource) {
            let token = ThreadState.current.token
            let wait = Wait(resource: resource, thread: DeadlockCheck.describeThread())
            change(of: token) { waits[token] = wait }
        }

        /// Called when the wait of the calling thread has ended.
        func end() { locked { waits[ThreadState.current.token] = nil } }

        /// Changes what a thread waits for. Stops the program if the thread would sleep for ever.
        ///
        /// - Parameter token: That of the thread, which may not have begun to wait.
        func change(of token: UInt64, _ body: () -> Void) {
            let circle = locked { () -> [Wait]? in
                body()
                return self.circle(from: token)
            }
            if let circle { fatalError(DeadlockCheck.message(circle)) }
        }

        /// The cycle of waits from a thread to itself; nil if there is none. Each thread waits for what the next one holds.
        private func circle(from first: UInt64) -> [Wait]? {
            var circle: [Wait] = []
            var thread = first
            repeat {
                // A recorded thread may have got its flag already and be about to remove its record.
                guard circle.count <= waits.count, let wait = waits[thread] else { return nil }
                let holder = wait.resource.holder
                if holder == thread, thread != first { return nil }
                circle.append(wait)
                thread = holder
            } while thread != first
            return circle
        }

        private static func message(_ circle: [Wait]) -> String {
            let lines = circle.indices.map { index in
                let held = circle[(index + circle.count - 1) % circle.count].resource.held
                return "\n  \(circle[index].thread) \(held) and waits for \(circle[index].resource.awaited)"
            }
            let (what, advice) =
                if circle.allSatisfy({ $0.resource is AwaitedValue }) {
                    (
                        "modify was called inside modify, in opposite orders",
                        "Call one after the other, or all in the same order."
                    )
                } else {
                    (
                        circle.count == 1 ? "a thread waits for itself" : "threads wait for each other",
                        "Start the producer in place of blocking the thread, or block a thread that nothing waits for."
                    )
                }
            return """
                deadlock: \(what):\(lines.joined())
                \(advice) With SWIFT_BACKTRACE=threads=all the backtrace shows where.
                """
        }

        static func describeThread() -> String {
            var name = [CChar](repeating: 0, count: 64)
            let number = unsafe ccorinth_describe_thread(&name, UInt64(name.count))
            let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return text.isEmpty ? "thread \(number)" : "thread \(number) “\(text)”"
        }
    }

    /// A value that one thread at a time changes, behind an ``OwnerFlag``.
    @safe struct AwaitedValue: BlockingResource {
        private let word: UnsafeMutablePointer<AtomicWord>
        private let bias: UnsafePointer<BiasedWord>?
        private let type: Any.Type?

        /// The value behind a flag.
        init(_ flag: borrowing OwnerFlag, _ bias: UnsafePointer<BiasedWord>?, of type: Any.Type?) {
            unsafe word = unsafe AtomicWord.at(flag.word.word.address)
            unsafe self.bias = unsafe bias
            self.type = type
        }

        // relaxed: a thread that released the flag and is recorded was recorded after the release, under the lock.
        var holder: UInt64 {
            let seen = unsafe OwnerWord(bits: word.pointee.load(.relaxed))
            // If the flag is biased or unclaimed, its token is that of a thread that may be inside. If that thread is
            // recorded, its mark says so: it isn't about to enter or to leave.
            guard seen.isBiased || seen.isUnclaimed else { return seen.holder }
            return unsafe bias?.pointee.isInside(seen.bits) == true ? seen.holder : 0
        }

        var awaited: String { unsafe "\(type.map { "\($0)" } ?? "a value") (\(word))" }

        var held: String { "changes \(awaited)" }
    }
#endif
