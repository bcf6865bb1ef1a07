public import CBenchmarkSupport

/// Returns `value`, about which the optimiser then knows nothing. So it neither foresees the value nor leaves out the work that
/// computes it, whether or not the result is used.
///
/// A loop around a closure that the compiler can see measures nothing: the compiler inlines the closure and folds the
/// loop. It can't inline a closure that this function returned.
@discardableResult
@inline(never)
@_optimize(none)
public func opaque<Value>(_ value: Value) -> Value {
    value
}

/// Returns `value` without an instruction. The optimiser then knows nothing about it.
@discardableResult
@inlinable
@inline(__always)
public func opaque(_ value: Int) -> Int {
    Int(bench_opaque(Int64(value)))
}
