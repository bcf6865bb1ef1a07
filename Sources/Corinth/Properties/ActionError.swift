/// The reason why a start of an ``Action`` failed.
public enum ActionError<Error: Swift.Error>: Swift.Error {
    /// The action was not enabled, or already executing.
    case disabled

    /// The producer of the execution failed.
    case producerFailed(Error)
}

extension ActionError: Equatable where Error: Equatable {
    /// Whether both are the same case with equal errors.
    public static func == (left: ActionError<Error>, right: ActionError<Error>) -> Bool {
        switch (left, right) {
        case (.disabled, .disabled): true
        case (.producerFailed(let left), .producerFailed(let right)): left == right
        default: false
        }
    }
}
