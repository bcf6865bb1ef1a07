/// The operators of a ``LazySignal``, as one type that the compiler specialises.
///
/// Operators make these types. Programs pass them on, as the parameter of a generic function or behind `some`.
// The metatype crosses to the threads that deliver, with the closures that are generic over it.
public protocol LazyStages<Value, Error>: SendableMetatype {
    /// The values of the signal that the stages are applied to.
    associatedtype Input
    /// The errors of that signal.
    associatedtype InputError: Swift.Error
    /// The values that leave the last stage.
    associatedtype Value
    /// The errors that leave the last stage.
    associatedtype Error: Swift.Error

    /// Whether what leaves for a value depends on that value alone, and no value ends the stream.
    static var isStateless: Bool { get }

    /// Passes a value through the stages.
    ///
    /// - Parameters:
    ///   - value: A value of the signal that the stages are applied to.
    ///   - end: Receives the termination of a stage that ends with this value. The last one counts: it is that of the stage
    ///     which is farthest down, and has got the value before the others ended.
    /// - Returns: The value that leaves, or nil.
    func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value?
}

/// No stage: the signal itself.
@frozen
public struct LazySource<Value, Error: Swift.Error>: LazyStages {
    public typealias Input = Value
    public typealias InputError = Error

    @export(implementation) @inline(__always)
    init() {}

    @export(implementation)
    public static var isStateless: Bool { true }

    @export(implementation) @inline(__always)
    public func step(_ value: Value, _ end: (Termination<Error>) -> Void) -> Value? { value }
}
