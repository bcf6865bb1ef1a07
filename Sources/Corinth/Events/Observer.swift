/// A receiver of one stream's events, to be subclassed.
///
/// Streams take ``Signal/Observer``, which is made of closures; this is the shape that it shares with observers of your
/// own.
open class Observer<Value, Error: Swift.Error> {
    /// Makes an observer.
    public init() {}

    /// Receives a value. To be overridden.
    open func receive(_ value: Value) {
        preconditionFailure("\(type(of: self)) must override receive(_:)")
    }

    /// Receives the end of the stream. To be overridden.
    open func terminate(_ termination: Termination<Error>) {
        preconditionFailure("\(type(of: self)) must override terminate(_:)")
    }
}

extension Signal {
    /// A receiver of events: what `observe` takes, and what the input of a signal is.
    ///
    /// ```swift
    /// let (output, input) = Signal<Int, Never>.pipe()
    /// output.observe(Signal.Observer(value: { print($0) }, completed: { print("done") }))
    /// input.send(value: 1)
    /// input.sendCompleted()
    /// ```
    ///
    /// The observer at the input of a signal interrupts the signal when the last reference to it goes.
    ///
    /// ## Concurrency
    /// The input of a signal may be called on any thread, by any number of threads at once, and from inside callbacks of
    /// that same signal: see law E5. An observer that you make of closures calls them where it is called itself.
    public final class Observer: Corinth.Observer<Value, Error> {
        /// A closure that takes every event.
        public typealias Action = (Event) -> Void

        @usableFromInline let sink: Sink<Value, Error>

        /// How the input of a signal sends a value that must not wait; nil if this is none.
        @usableFromInline let attempt: ((Value) -> Bool)?

        @inlinable
        init(sink: Sink<Value, Error>) {
            self.sink = sink
            attempt = nil
            super.init()
        }

        /// The input of a signal.
        @inlinable
        init(input sink: Sink<Value, Error>, trying attempt: @escaping (Value) -> Bool) {
            self.sink = sink
            self.attempt = attempt
            super.init()
        }

        /// Whether this is the input of a signal.
        @inlinable
        var isInput: Bool { attempt != nil }

        /// Makes an observer that gives every event to `action`.
        @inlinable
        @preconcurrency
        public convenience init(_ action: sending @escaping Action) {
            self.init(
                sink: Sink(
                    value: { action(.value($0)) },
                    termination: { action(Event($0)) }))
        }

        /// Makes an observer of a closure for each kind of event; nil ignores it.
        @inlinable
        public convenience init(
            value: sending ((Value) -> Void)? = nil,
            failed: sending ((Error) -> Void)? = nil,
            completed: sending (() -> Void)? = nil,
            interrupted: sending (() -> Void)? = nil
        ) {
            self.init(
                sink: Sink(
                    value: value ?? { _ in }, termination: Observer.termination(failed, completed, interrupted)))
        }

        /// One closure of one for each end. Not written where the three are `sending`: Swift 6.3 captures such a parameter in
        /// a box, and checks each access to it.
        @inlinable @inline(__always)
        static func termination(
            _ failed: ((Error) -> Void)?, _ completed: (() -> Void)?, _ interrupted: (() -> Void)?
        ) -> (Termination<Error>) -> Void {
            // What does nothing captures nothing.
            if failed == nil, completed == nil, interrupted == nil { return { _ in } }
            return { termination in
                switch termination {
                case .failed(let error): failed?(error)
                case .completed: completed?()
                case .interrupted: interrupted?()
                }
            }
        }

        @inlinable
        deinit {
            if isInput { sink.onTermination(.interrupted) }
        }

        /// Sends a value. The same as ``send(value:)``.
        @inlinable
        public override func receive(_ value: Value) { sink.onValue(value) }

        /// Sends the end.
        @inlinable
        public override func terminate(_ termination: Termination<Error>) { sink.onTermination(termination) }

        /// Sends an event.
        @inlinable
        public func send(_ event: Event) {
            switch event {
            case .value(let value): sink.onValue(value)
            case .failed(let error): sink.onTermination(.failed(error))
            case .completed: sink.onTermination(.completed)
            case .interrupted: sink.onTermination(.interrupted)
            }
        }

        /// Sends a value.
        ///
        /// - Complexity: At the input of an idle signal, two atomic read-modify-writes and the observers' closures: no
        ///   lock, no allocation, no system call. One allocation where the event has to wait.
        @inlinable
        public func send(value: Value) { sink.onValue(value) }

        /// Sends a value, unless that would take waiting.
        ///
        /// At the input of a signal or of a start, ``send(value:)`` waits for a place where too many events wait for delivery, and
        /// for room in a hop that its value has filled. This does neither. Where a hop is full, the signal delivers nothing more
        /// until there is room, and values that are sent meanwhile wait in its inbox.
        ///
        /// ```swift
        /// if !input.trySend(value: request) { reject(request) }
        /// ```
        ///
        /// - Returns: Whether the value was sent: false if it would have had to wait and found no place, or if others wait for
        ///   one. True on a signal that has ended, where values are dropped, and at an observer that is made of closures.
        /// - Complexity: As ``send(value:)``.
        /// ## Concurrency
        /// Never waits. As ``send(value:)``, it may deliver what other threads have sent, up to a bound.
        @inlinable
        public func trySend(value: Value) -> Bool {
            if let attempt { return attempt(value) }
            sink.onValue(value)
            return true
        }

        /// Sends a failure.
        @inlinable
        public func send(error: Error) { sink.onTermination(.failed(error)) }

        /// Sends the completion.
        @inlinable
        public func sendCompleted() { sink.onTermination(.completed) }

        /// Sends the interruption.
        @inlinable
        public func sendInterrupted() { sink.onTermination(.interrupted) }
    }
}

// What is sent may be received on another thread, so the observer can be shared where its values can. Its closures are
// called by the strand of a signal, one at a time.
extension Signal.Observer: @unchecked Sendable where Value: Sendable {}
