/// How a stream ended.
@frozen
public enum Termination<Error: Swift.Error> {
    /// It failed.
    case failed(Error)
    /// It is complete: there are no more values.
    case completed
    /// It was cancelled.
    case interrupted
}

extension Termination: Sendable {}

extension Termination: Equatable where Error: Equatable {}
