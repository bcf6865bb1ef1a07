public import CBenchmarkSupport

/// Returns `value`, about which the optimiser then knows nothing.
///
/// A loop around a closure that the compiler can see measures nothing: the compiler inlines the closure and folds the
/// loop. It can't inline a closure that this function returned.
@inline(never)
@_optimize(none)
public func opaque<Value>(_ value: Value) -> Value {
    value
}

/// Returns `value` without an instruction. The optimiser then knows nothing about it.
@inlinable
@inline(__always)
public func opaque(_ value: Int) -> Int {
    Int(bench_opaque(Int64(value)))
}
