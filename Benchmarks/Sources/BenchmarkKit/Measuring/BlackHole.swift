public import CBenchmarkSupport

/// Returns `value`; what it is, the optimiser doesn't know.
///
/// A plain loop around a closure that the compiler can see measures nothing: the closure is inlined and the loop
/// folded. A closure that went through here is called, each time.
@inline(never)
@_optimize(none)
public func opaque<Value>(_ value: Value) -> Value {
    value
}

/// Returns `value` at no cost; what it is, the optimiser doesn't know.
@inlinable
@inline(__always)
public func opaque(_ value: Int) -> Int {
    Int(bench_opaque(Int64(value)))
}
