/// Makes a kernel `@Sendable` that uses a conformance of a value's type.
///
/// The compiler requires a proof that such a conformance isn't isolated to an actor. No signature of an operator can state
/// this without rejecting correct code. The kernel is as safe to share as the values are.
@inlinable @inline(__always)
func shared<Next, Previous>(_ kernel: @escaping (Next) -> Previous) -> @Sendable (Next) -> Previous {
    nonisolated(unsafe) let kernel = kernel
    return { unsafe kernel($0) }
}
