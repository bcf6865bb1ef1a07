import CCorinthC
import Corinth
import Dispatch

typealias ReleaseFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void
typealias EndFunction =
    @convention(c) (UnsafeMutableRawPointer?, corinth_end_kind, UnsafePointer<corinth_error>?) -> Void

/// A function of C code's with its context, for closures that are `sending`.
struct Callback<Function>: @unchecked Sendable {  // See ``Context``.
    let function: Function
    fileprivate let context: Context

    init(_ function: Function, _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?) {
        self.function = function
        unsafe self.context = Context(context, release)
    }

    /// Another function with the same context.
    init<Other>(_ function: Function, of other: Callback<Other>) {
        self.function = function
        context = other.context
    }

    @inline(__always)
    var pointer: UnsafeMutableRawPointer? { unsafe context.pointer }
}

extension Callback<EndFunction?> {
    func deliver(_ end: Termination<CError>) {
        guard let function = unsafe function else { return }
        switch end {
        case .completed: unsafe function(pointer, CORINTH_COMPLETED, nil)
        case .interrupted: unsafe function(pointer, CORINTH_INTERRUPTED, nil)
        case .failed(let error):
            unsafe error.text.withCString {
                var error = unsafe corinth_error(code: error.code, text: $0)
                unsafe function(pointer, CORINTH_FAILED, &error)
            }
        }
    }
}

extension Signal where Error == CError {
    /// An observer that calls C code.
    static func observer(_ value: @escaping @Sendable (Value) -> Void, _ end: Callback<EndFunction?>) -> Observer {
        Observer(value: value, termination: { unsafe end.deliver($0) })
    }
}
