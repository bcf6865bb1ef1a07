/// What is an optional: for operators on streams of optionals.
public protocol OptionalProtocol<Wrapped>: ExpressibleByNilLiteral {
    /// What the optional may hold.
    associatedtype Wrapped

    /// Makes one of an optional.
    init(reconstructing value: Wrapped?)

    /// The optional.
    var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// Makes a copy of `value`.
    @inlinable
    public init(reconstructing value: Wrapped?) { self = value }

    /// The optional itself.
    @inlinable
    public var optional: Wrapped? { self }
}
