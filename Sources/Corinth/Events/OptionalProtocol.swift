/// A type that is an optional: for operators on streams of optionals.
public protocol OptionalProtocol<Wrapped>: ExpressibleByNilLiteral {
    /// The wrapped type.
    associatedtype Wrapped

    /// Creates a value from an optional.
    init(reconstructing value: Wrapped?)

    /// The optional.
    var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// Makes a copy of `value`.
    @inlinable
    public init(reconstructing value: Wrapped?) { self = value }

    /// This optional.
    @inlinable
    public var optional: Wrapped? { self }
}
