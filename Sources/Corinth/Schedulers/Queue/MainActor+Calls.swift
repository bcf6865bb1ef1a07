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
