extension MainActor {
    /// Calls a function of the main actor. The caller runs on the main thread, which the compiler doesn't know.
    @inlinable
    static func call<Input, Output>(_ function: @MainActor (Input) -> Output, with input: Input) -> Output {
        nonisolated(unsafe) let input = input  // Handed to the function.
        return withoutActuallyEscaping(function) { function in
            nonisolated(unsafe) var output: Output?
            MainActor.assumeIsolated { unsafe output = function(input) }
            guard let output = unsafe output else {
                preconditionFailure("a function of the main actor has returned nothing")
            }
            return output
        }
    }
}

/// A property of an object, which only the main actor sets.
@MainActor
final class MainActorProperty<Object: AnyObject & Sendable, Value: Sendable> {
    private weak var object: Object?
    private let keyPath: WritableKeyPath<Object, Value>

    init(of object: Object, at keyPath: WritableKeyPath<Object, Value>) {
        self.object = object
        self.keyPath = keyPath
    }

    /// Called on the main thread.
    ///
    /// - Returns: Whether the object exists.
    nonisolated func set(_ value: Value) -> Bool {
        MainActor.assumeIsolated {
            guard var object else { return false }
            object[keyPath: keyPath] = value
            return true
        }
    }
}
