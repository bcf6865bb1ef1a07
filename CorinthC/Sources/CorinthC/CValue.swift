// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

public import CCorinthC
import CCorinthCSupport

/// A value of the streams that C code shares: 64 bits, and what keeps alive what they point to.
///
/// ```swift
/// let (prices, input) = Signal<CValue, CError>.pipe()
/// input.send(value: CValue(bits: 4_200))
/// input.send(value: CValue(owning: order))  // C code gets a pointer to it, and keeps it for as long as it likes.
/// ```
///
/// Its memory is that of `corinth_value`.
public struct CValue: @unchecked Sendable {  // What the bits mean is up to who made them.
    /// What C code sees. A copy with other bits has the same owner.
    public var bits: UInt64

    private let owner: Owner?

    /// Makes a value without an owner.
    public init(bits: UInt64) {
        self.bits = bits
        owner = nil
    }

    /// Makes a value whose bits are a pointer to an object, which lives for at least as long as the value.
    ///
    /// - Complexity: One allocation.
    public init(owning object: some AnyObject & Sendable) {
        let pointer = unsafe Unmanaged.passRetained(object).toOpaque()
        bits = UInt64(UInt(bitPattern: pointer))
        owner = unsafe Owner(pointer, { unsafe Unmanaged<AnyObject>.fromOpaque($0!).release() }, isOfSwift: true)
    }

    /// The object of ``init(owning:)``; nil if there is none, if it has another type, or if the owner is one of C code's.
    public func object<Object: AnyObject>(as type: Object.Type = Object.self) -> Object? {
        guard let owner, owner.isOfSwift, let pointer = unsafe owner.pointer else { return nil }
        return unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? Object
    }

    /// Makes a value of one that C code keeps.
    ///
    /// - Parameter function: Which function has got it.
    @inline(__always)
    init(_ value: corinth_value, _ function: StaticString) {
        bits = unsafe value.bits
        guard let pointer = unsafe value.owner else {
            owner = nil
            return
        }
        if ccorinth_checks_handles() { unsafe HandleChecks.require(pointer, Owner.name, function) }
        owner = unsafe Unmanaged<Owner>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Makes a value of one that C code gives away.
    @inline(__always)
    init(consuming value: corinth_value) {
        bits = unsafe value.bits
        if ccorinth_checks_handles(), let pointer = unsafe value.owner { unsafe HandleChecks.release(pointer) }
        owner = unsafe value.owner.map { unsafe Unmanaged<Owner>.fromOpaque($0).takeRetainedValue() }
    }

    /// The value for C code, which may use it for as long as this one is there.
    @inline(__always)
    var borrowed: corinth_value { unsafe corinth_value(bits: bits, owner: owner.map { unsafe $0.handle }) }

    /// The value for C code, which has to release its owner.
    var handed: corinth_value {
        let value = unsafe borrowed
        unsafe corinth_retain(value.owner)
        return unsafe value
    }
}

/// The failure of the streams that C code shares: a number and a text.
public struct CError: Error, Hashable, CustomStringConvertible {
    /// ``disabled``, ``full``, or a number of the program's own.
    public let code: Int32
    public let text: String

    public init(code: Int32, text: String = "") {
        self.code = code
        self.text = text
    }

    /// The error of an action that is disabled or executing, `CORINTH_ERROR_DISABLED` in C.
    public static let disabled = CError(
        code: Int32(CORINTH_ERROR_DISABLED), text: "the action is disabled or executing")

    /// The error of a buffer with the policy `CORINTH_FAIL`, `CORINTH_ERROR_FULL` in C.
    public static let full = CError(code: Int32(CORINTH_ERROR_FULL), text: "the buffer is full")

    public var description: String { text.isEmpty ? "error \(code)" : "\(text) (\(code))" }
}

/// A pointer of C code's, and the function that releases it.
@safe
class Context: @unchecked Sendable {  // Immutable. C code is told on which threads it is used.
    final let pointer: UnsafeMutableRawPointer?
    private final let release: ReleaseFunction?

    init(_ pointer: UnsafeMutableRawPointer?, _ release: ReleaseFunction?) {
        unsafe self.pointer = pointer
        unsafe self.release = release
    }

    deinit { unsafe release?(pointer) }
}

/// What keeps alive what the bits of values point to.
final class Owner: Context, @unchecked Sendable {
    /// Whether the pointer is to an object of Swift's.
    let isOfSwift: Bool

    static let name = String(describing: corinth_owner.self)

    init(
        _ pointer: UnsafeMutableRawPointer?, _ release: ReleaseFunction?,
        isOfSwift: Bool
    ) {
        self.isOfSwift = isOfSwift
        unsafe super.init(pointer, release)
        if ccorinth_checks_handles() { unsafe HandleChecks.begin(UnsafeMutableRawPointer(handle), self, Owner.name) }
    }

    deinit {
        if ccorinth_checks_handles() { unsafe HandleChecks.end(UnsafeMutableRawPointer(handle)) }
    }

    /// Without a reference.
    @inline(__always)
    var handle: UnsafeMutablePointer<corinth_owner> {
        unsafe Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(to: corinth_owner.self)
    }
}

@c @implementation
public func corinth_owner_create(
    _ context: UnsafeMutableRawPointer?, _ release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) -> UnsafeMutablePointer<corinth_owner> {
    let owner = unsafe Owner(context, release, isOfSwift: false)
    if ccorinth_checks_handles() { unsafe HandleChecks.retain(owner.handle) }
    _ = unsafe Unmanaged.passRetained(owner)
    return unsafe owner.handle
}
