/// A kernel that the starts of a producer may share, though it uses a conformance of a value's type.
///
/// The compiler asks such a closure to prove that the conformance is not isolated to an actor, which no signature of an
/// operator can say without refusing code that is right. It is as safe to share as the values are.
@inlinable @inline(__always)
func shared<Next, Previous>(_ kernel: @escaping (Next) -> Previous) -> @Sendable (Next) -> Previous {
    nonisolated(unsafe) let kernel = kernel
    return { unsafe kernel($0) }
}
