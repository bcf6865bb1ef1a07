extension Checkpoint {
    /// An error that has passed this checkpoint: the same one if it keeps its trail itself, else in a ``CheckpointFailure``.
    @usableFromInline
    func recorded(in error: any Error) -> any Error {
        guard var recording = error as? any CheckpointRecording else {
            return CheckpointFailure<any Error>(error, trail: [self])
        }
        recording.record(self)
        return recording
    }

    /// An error that has passed this checkpoint.
    @usableFromInline
    func recorded<Failure: CheckpointRecording>(in error: Failure) -> Failure {
        var error = error
        error.record(self)
        return error
    }
}

extension Signal where Error: CheckpointRecording {
    /// Adds a checkpoint to the trail of the error, if there is one.
    ///
    /// Where the errors are `any Error`, one that doesn't keep a trail comes out as a ``CheckpointFailure``. Where they are
    /// of another type, that becomes the stream's type of error, once, and stays from there on.
    ///
    /// - Parameters:
    ///   - label: What the place is called.
    ///   - file: Where this is called.
    ///   - line: Where this is called.
    /// - Complexity: Nothing per value but passing it on; O(checkpoints passed) for a failure.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension Signal where Error == any Swift.Error {
    /// Adds a checkpoint to the trail of the error, which is a ``CheckpointFailure`` from here on, unless it keeps a trail
    /// itself.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension Signal where Error == Never {
    /// This signal: it can't fail.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> { self }
}

extension Signal {
    /// Begins a trail for the error, if there is one, with this checkpoint.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, CheckpointFailure<Error>> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { CheckpointFailure($0, trail: [checkpoint]) } }
    }
}

extension SignalProducer where Error: CheckpointRecording {
    /// Adds a checkpoint to the trail of the error, if there is one. See
    /// ``Signal/checkpoint(_:file:line:)-79qdn``.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// Adds a checkpoint to the trail of the error, which is a ``CheckpointFailure`` from here on, unless it keeps a trail
    /// itself.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension SignalProducer where Error == Never {
    /// This producer: it can't fail.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> { self }
}

extension SignalProducer {
    /// Begins a trail for the error, if there is one, with this checkpoint.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, CheckpointFailure<Error>> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { CheckpointFailure($0, trail: [checkpoint]) } }
    }
}
