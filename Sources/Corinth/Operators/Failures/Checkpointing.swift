extension Checkpoint {
    /// Records this checkpoint in an error. An error without its own trail is wrapped in a ``CheckpointFailure``.
    @usableFromInline
    func recorded(in error: any Error) -> any Error {
        guard var recording = error as? any CheckpointRecording else {
            return CheckpointFailure<any Error>(error, trail: [self])
        }
        recording.record(self)
        return recording
    }

    /// Records this checkpoint in an error.
    @usableFromInline
    func recorded<Failure: CheckpointRecording>(in error: Failure) -> Failure {
        var error = error
        error.record(self)
        return error
    }
}

extension Signal where Error: CheckpointRecording {
    /// Adds a checkpoint to the trail of a failure's error.
    ///
    /// If the error type is `any Error`, an error without its own trail is wrapped in a ``CheckpointFailure``. If it is
    /// another type without a trail, the first checkpoint changes the stream's error type to a ``CheckpointFailure``. Later
    /// checkpoints keep that type.
    ///
    /// - Parameters:
    ///   - label: The name of the place.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    /// - Complexity: Values are only forwarded. O(checkpoints passed) for a failure.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension Signal where Error == any Swift.Error {
    /// Adds a checkpoint to the trail of a failure's error. An error without its own trail is wrapped in a
    /// ``CheckpointFailure``.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension Signal where Error == Never {
    /// Returns this signal, because it can't fail.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, Error> { self }
}

extension Signal {
    /// Wraps a failure's error in a ``CheckpointFailure``, whose trail begins with this checkpoint.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> Signal<Value, CheckpointFailure<Error>> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return derive { MapError.kernel(into: $0) { CheckpointFailure($0, trail: [checkpoint]) } }
    }
}

extension SignalProducer where Error: CheckpointRecording {
    /// Adds a checkpoint to the trail of a failure's error. See ``Signal/checkpoint(_:file:line:)-79qdn``.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// Adds a checkpoint to the trail of a failure's error. An error without its own trail is wrapped in a
    /// ``CheckpointFailure``.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { checkpoint.recorded(in: $0) } }
    }
}

extension SignalProducer where Error == Never {
    /// Returns this producer, because it can't fail.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, Error> { self }
}

extension SignalProducer {
    /// Wraps a failure's error in a ``CheckpointFailure``, whose trail begins with this checkpoint.
    @inlinable
    public func checkpoint(
        _ label: String = "", file: String = #fileID, line: Int = #line
    ) -> SignalProducer<Value, CheckpointFailure<Error>> {
        let checkpoint = Checkpoint(label, file: file, line: line)
        return fuse { MapError.kernel(into: $0) { CheckpointFailure($0, trail: [checkpoint]) } }
    }
}
