// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

@_exported public import CCorinthC
import CCorinthCSupport
import Corinth

/// A type of handles. What a handle of C points to is an object of Swift's, of which C code has some of the references.
protocol HandleType {
    associatedtype Content
}

extension HandleType {
    /// As C code says it.
    static var name: String { String(describing: Self.self) }
}

/// What a handle points to.
final class Handle<Content>: @unchecked Sendable {  // Immutable, and its contents are for all threads.
    let content: Content

    init(_ content: Content) { self.content = content }
}

extension UnsafeMutablePointer where Pointee: HandleType {
    /// A new handle, with one reference.
    @inline(__always)
    init(handing content: Pointee.Content) {
        let handle = Handle(content)
        let pointer = unsafe Unmanaged.passRetained(handle).toOpaque()
        if ccorinth_checks_handles() { unsafe HandleChecks.begin(pointer, handle, Pointee.name, references: 1) }
        unsafe self = pointer.assumingMemoryBound(to: Pointee.self)
    }

    /// What this handle points to.
    ///
    /// - Parameter function: Which function has got it.
    @inline(__always)
    func content(_ function: StaticString) -> Pointee.Content { unsafe withContent(function) { $0 } }

    /// Calls a function with what this handle points to, without a reference of its own: the caller has one until this returns.
    @inline(__always)
    func withContent<Result>(_ function: StaticString, _ body: (Pointee.Content) -> Result) -> Result {
        let handle = unsafe Unmanaged<Handle<Pointee.Content>>.fromOpaque(self)
        if ccorinth_checks_handles() {
            unsafe HandleChecks.require(self, Pointee.name, function)
            let kept = unsafe handle.takeUnretainedValue()
            let result = body(kept.content)
            unsafe HandleChecks.require(self, Pointee.name, function, isReturning: true)
            return result
        }
        return unsafe handle._withUnsafeGuaranteedRef { body($0.content) }
    }
}

// The types are told apart in Swift as they are in C: each has one kind of content.

extension corinth_signal: HandleType {
    typealias Content = Signal<CValue, CError>
}

extension corinth_input: HandleType {
    typealias Content = Signal<CValue, CError>.Observer
}

extension corinth_producer: HandleType {
    typealias Content = SignalProducer<CValue, CError>
}

extension corinth_lifetime: HandleType {
    typealias Content = Lifetime
}

extension corinth_property: HandleType {
    typealias Content = AnyCProperty
}

extension corinth_action: HandleType {
    typealias Content = Action<CValue, CValue, CError>
}

extension corinth_scheduler: HandleType {
    typealias Content = any Scheduler
}

extension corinth_task: HandleType {
    typealias Content = CTask
}

extension corinth_disposable: HandleType {
    typealias Content = any Disposable
}

extension corinth_statistics: HandleType {
    typealias Content = BufferStatistics
}

@c @implementation
public func corinth_version() -> UInt32 {
    (UInt32(CORINTH_VERSION_MAJOR) * 1000 + UInt32(CORINTH_VERSION_MINOR)) * 1000 + UInt32(CORINTH_VERSION_PATCH)
}

@c @implementation
public func corinth_retain(_ handle: UnsafeMutableRawPointer?) {
    guard let handle = unsafe handle else { return }
    if ccorinth_checks_handles() { unsafe HandleChecks.retain(handle) }
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(handle).retain()
}

@c @implementation
public func corinth_release(_ handle: UnsafeMutableRawPointer?) {
    guard let handle = unsafe handle else { return }
    if ccorinth_checks_handles() { unsafe HandleChecks.release(handle) }
    unsafe Unmanaged<AnyObject>.fromOpaque(handle).release()
}

/// Ends the process because of an argument.
func require(_ isAllowed: Bool, _ text: @autoclosure () -> String) {
    if !isAllowed { stop(text()) }
}

func stop(_ text: String) -> Never { unsafe ccorinth_stop(text) }
