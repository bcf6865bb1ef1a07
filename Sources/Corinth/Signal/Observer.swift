/// A receiver of one stream's events, for subclassing.
///
/// Streams take ``Signal/Observer``, which consists of closures. This is the superclass that it shares with your own
/// observers.
open class Observer<Value, Error: Swift.Error> {
    /// Creates an observer.
    public init() {}

    /// Receives a value. Subclasses override it.
    open func receive(_ value: Value) {
        preconditionFailure("\(type(of: self)) must override receive(_:)")
    }

    /// Receives the termination of the stream. Subclasses override it.
    open func terminate(_ termination: Termination<Error>) {
        preconditionFailure("\(type(of: self)) must override terminate(_:)")
    }
}

extension Signal {
    /// A receiver of events: the argument of `observe`, and the input of a signal.
    ///
    /// ```swift
    /// let (output, input) = Signal<Int, Never>.pipe()
    /// output.observe(Signal.Observer(value: { print($0) }, completed: { print("done") }))
    /// input.send(value: 1)
    /// input.sendCompleted()
    /// ```
    ///
    /// The observer at the input of a signal interrupts the signal when its last reference is released.
    ///
    /// ## Concurrency
    /// Any number of threads may call the input of a signal at the same time, also from inside callbacks of the same signal:
    /// see law [E5](doc:Contracts#E5-Sending-doesnt-wait-for-delivery). An observer made of closures calls them on the calling
    /// thread.
    public class Observer: Corinth.Observer<Value, Error> {
        /// A closure that receives every event.
        public typealias Action = (Event) -> Void

        @usableFromInline final let onValue: (Value) -> Void

        /// The closure for terminations; at an input, the closure of ``requests``. Two words for both, without a third that
        /// tells which: an observer then takes 48 bytes.
        @usableFromInline final let onTermination: (Termination<Error>) -> Void

        @inlinable
        package init(value: @escaping (Value) -> Void, termination: @escaping (Termination<Error>) -> Void) {
            onValue = value
            onTermination = termination
            super.init()
        }

        /// The closures of an observer that isn't an input. They don't retain it.
        @inlinable
        final var sink: Sink<Value, Error> {
            @inline(__always)
            get {
                assert(!isInput, "an input is retained by what sends to it")
                return Sink(value: onValue, termination: onTermination)
            }
        }

        /// Whether this is the input of a signal or of a start, which is an ``Input``.
        @usableFromInline var isInput: Bool { false }

        /// What an input does other than sending a value with a wait.
        @inlinable
        final var requests: UnsafePointer<RequestClosure<Value, Error>> {
            @inline(__always)
            get {
                // The second stored property, behind a closure. See ``AtomicWord/init(of:at:)``.
                let properties = unsafe UnsafeRawPointer(_getUnsafePointerToStoredProperties(self))
                return unsafe (properties + 16).assumingMemoryBound(to: RequestClosure<Value, Error>.self)
            }
        }

        /// Creates an observer that passes every event to `action`.
        @inlinable
        public convenience init(_ action: sending @escaping Action) {
            self.init(value: { action(.value($0)) }, termination: { action(Event($0)) })
        }

        /// Creates an observer from one closure for each kind of event; nil ignores the event.
        @inlinable
        public convenience init(
            value: sending ((Value) -> Void)? = nil,
            failed: sending ((Error) -> Void)? = nil,
            completed: sending (() -> Void)? = nil,
            interrupted: sending (() -> Void)? = nil
        ) {
            self.init(
                value: value ?? { _ in }, termination: Observer.termination(failed, completed, interrupted))
        }

        /// Combines the three closures into one. It isn't written where they are `sending`: Swift 6.3 captures such a
        /// parameter in a box, and checks each access to it.
        @inlinable @inline(__always)
        static func termination(
            _ failed: ((Error) -> Void)?, _ completed: (() -> Void)?, _ interrupted: (() -> Void)?
        ) -> (Termination<Error>) -> Void {
            // Without closures, the result captures nothing.
            if failed == nil, completed == nil, interrupted == nil { return { _ in } }
            return { termination in
                switch termination {
                case .failed(let error): failed?(error)
                case .completed: completed?()
                case .interrupted: interrupted?()
                }
            }
        }

        /// Sends a value. The same as ``send(value:)``.
        @inlinable
        public final override func receive(_ value: Value) { onValue(value) }

        /// Sends the termination.
        @inlinable
        public final override func terminate(_ termination: Termination<Error>) {
            if isInput { _ = unsafe requests.pointee(.terminate(termination)) } else { onTermination(termination) }
        }

        /// Sends an event.
        @inlinable
        public final func send(_ event: Event) {
            switch event {
            case .value(let value): onValue(value)
            case .failed(let error): terminate(.failed(error))
            case .completed: terminate(.completed)
            case .interrupted: terminate(.interrupted)
            }
        }

        /// Sends a value.
        ///
        /// - Complexity: At the input of an idle signal, the observers' closures and no atomic read-modify-write on the thread
        ///   that uses the signal alone, two if several threads use it: no lock, no allocation, no system call. One allocation
        ///   if the event is queued.
        @inlinable
        public final func send(value: Value) { onValue(value) }

        /// Sends a value, unless the call would have to wait.
        ///
        /// At the input of a signal or of a start, ``send(value:)`` waits if the inbox is full, and if its value has filled a
        /// hop. This method never waits. While a hop is full, the signal delivers nothing, and values that are sent meanwhile
        /// are queued in its inbox.
        ///
        /// ```swift
        /// if !input.trySend(value: request) { reject(request) }
        /// ```
        ///
        /// - Returns: Whether the value was sent. False if it would have been queued and the inbox is full, or if other
        ///   senders wait. True on a terminated signal, which drops values, and at an observer made of closures.
        /// - Complexity: As ``send(value:)``.
        /// ## Concurrency
        /// Never waits. Like ``send(value:)``, it may deliver values of other threads, up to a bound.
        @inlinable
        public final func trySend(value: Value) -> Bool {
            if isInput {
                if case .refused = unsafe requests.pointee(.send(value, .trying)) { return false }
                return true
            }
            onValue(value)
            return true
        }

        /// Sends a value. Suspends the task while the inbox is full, instead of blocking the thread.
        ///
        /// It waits where ``send(value:)`` waits, in the same FIFO order: if the inbox is full, and if its value has filled a
        /// hop downstream. In the second case the value is sent, and the signal stops until the hop has capacity. Values that
        /// are sent meanwhile are queued in the inbox.
        ///
        /// ```swift
        /// for try await line in lines { try await input.suspendingSend(value: line) }
        /// ```
        ///
        /// It has a separate name because an `async` overload of ``send(value:)`` would change the meaning of each
        /// `observer.send(value:)` in an `async` function.
        ///
        /// - Throws: `CancellationError` if the task is cancelled before it sends or while the inbox is full. Then the value
        ///   isn't sent. A cancellation while its value fills a hop ends the wait, without an error.
        /// - Complexity: As ``trySend(value:)`` if it isn't suspended. Otherwise up to three allocations and one suspension.
        /// ## Concurrency
        /// Any number of tasks may call it at the same time. The observers run where the task runs, unless another thread is
        /// delivering. It blocks no thread. On a terminated signal it returns at once.
        @inlinable
        nonisolated(nonsending) public final func suspendingSend(value: Value) async throws(CancellationError) {
            guard isInput else { return onValue(value) }
            if Task.isCancelled { throw CancellationError() }
            var sent = unsafe requests.pointee(.send(value, .suspending(nil)))
            if case .refused = sent {
                let waiter = TaskWaiter()
                let outcome = await waiter.wait(
                    isolation: #isolation, joining: { unsafe requests.pointee(.send(value, .suspending(waiter))) })
                switch outcome {
                case .sent: return
                case .granted: sent = unsafe requests.pointee(.send(value, .suspending(waiter)))
                case .cancelled: throw CancellationError()
                }
            }
            if case .stopped(let task) = sent { await task.wait(isolation: #isolation) }
        }

        /// Sends a failure.
        @inlinable
        public final func send(error: Error) { terminate(.failed(error)) }

        /// Sends the completion.
        @inlinable
        public final func sendCompleted() { terminate(.completed) }

        /// Sends the interruption.
        @inlinable
        public final func sendInterrupted() { terminate(.interrupted) }
    }

    /// The observer at the input of a signal or of a start.
    @usableFromInline
    final class Input: Observer {
        @inlinable
        init(
            value: __owned @escaping (Value) -> Void,
            requests carryOut: __owned @escaping (InputRequest<Value, Error>) -> SendAttempt
        ) {
            // Both structs are the two words of a closure. See ``Observer/requests``.
            let stored = unsafe unsafeBitCast(
                StoredRequests<Value, Error>(carryOut: carryOut), to: StoredTermination<Error>.self)
            super.init(value: value, termination: stored.receive)
        }

        @inlinable
        deinit { _ = unsafe requests.pointee(.terminate(.interrupted)) }

        @usableFromInline override var isInput: Bool { true }
    }
}

/// What the input of a signal or of a start does other than sending a value with a wait.
@frozen
@usableFromInline
enum InputRequest<Value, Error: Swift.Error> {
    /// Send a value without blocking.
    case send(Value, SendMode)
    /// Send a termination.
    case terminate(Termination<Error>)
}

/// A closure that carries out the requests of an input. Not copyable, so that a call doesn't retain it.
@frozen
@usableFromInline
struct RequestClosure<Value, Error: Swift.Error>: ~Copyable {
    @usableFromInline let carryOut: (InputRequest<Value, Error>) -> SendAttempt

    @inlinable @inline(__always)
    borrowing func callAsFunction(_ request: InputRequest<Value, Error>) -> SendAttempt { carryOut(request) }
}

/// The same, copyable, to be stored as a ``StoredTermination``.
@frozen
@usableFromInline
struct StoredRequests<Value, Error: Swift.Error> {
    @usableFromInline let carryOut: (InputRequest<Value, Error>) -> SendAttempt

    @inlinable @inline(__always)
    init(carryOut: __owned @escaping (InputRequest<Value, Error>) -> SendAttempt) { self.carryOut = carryOut }
}

/// A closure for the termination, in the memory of which the closure of an input is stored.
@frozen
@usableFromInline
struct StoredTermination<Error: Swift.Error> {
    @usableFromInline let receive: (Termination<Error>) -> Void
}

// Another thread may receive a sent value, so the observer is sendable if its values are. The strand of a signal calls its
// closures, one at a time.
extension Signal.Observer: @unchecked Sendable where Value: Sendable {}
extension Signal.Input: @unchecked Sendable where Value: Sendable {}
