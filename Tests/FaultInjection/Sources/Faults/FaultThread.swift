import CFaults
import Corinth
import Foundation

/// A thread with a stack of a given size, which a signal can stop.
final class FaultThread: @unchecked Sendable {  // The thread is started once, and its identity then stays.
    private let isDone = Atomic(false)
    private let identity: pthread_t

    /// Nil if the system has no place for another thread.
    init?(stack: Int = 1 << 19, _ body: @escaping @Sendable () -> Void) {
        let isDone = isDone
        let box = Box {
            body()
            isDone.value = true
        }
        let argument = unsafe Unmanaged.passRetained(box).toOpaque()
        var thread = pthread_t()
        let isStarted = unsafe faults_start_thread(
            UInt64(stack), { unsafe Unmanaged<Box>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().body() },
            argument, &thread)
        identity = thread
        if !isStarted {
            unsafe Unmanaged<Box>.fromOpaque(argument).release()
            return nil
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    var isFinished: Bool { isDone.value }

    func join() { pthread_join(identity, nil) }

    /// Stops it by a signal. One thread can be stopped at a time.
    func stop() -> Bool { faults_stop(identity) }

    static func resume() { faults_resume() }

    /// Calls the body on the thread, in the handler of a signal. False if it wasn't called.
    func interrupt(by body: @escaping () -> Void) -> Bool {
        unsafe withUnsafePointer(to: body) { body in
            unsafe faults_interrupt(
                identity, { unsafe $0.unsafelyUnwrapped.assumingMemoryBound(to: (() -> Void).self).pointee() },
                UnsafeMutableRawPointer(mutating: body))
        }
    }

    /// Starts threads, which all begin at the same time. The caller joins them.
    static func group(_ count: Int, stack: Int = 1 << 19, _ body: @escaping @Sendable (Int) -> Void) -> [FaultThread] {
        let gate = Atomic(false)
        let threads = (0..<count).compactMap { index in
            FaultThread(stack: stack) {
                while !gate.value { usleep(200) }
                body(index)
            }
        }
        gate.value = true
        return threads
    }
}
