public import CCorinthC
public import Corinth

/// A class whose objects C code has by handles. An initialiser in an extension of a protocol may give an object that is there already;
/// one in an extension of the class has to make another.
public protocol _Handled {}

extension _Handled {
    fileprivate init(existing object: Self) { self = object }
}

extension Signal: _Handled where Value == CValue, Error == CError {}
extension Action: _Handled where Input == CValue, Output == CValue, Error == CError {}
extension MutableProperty: _Handled where Value == CValue {}

// MARK: From C

extension _Handled {
    /// The signal of a handle: the object itself.
    ///
    /// ```swift
    /// Signal(handle).observeValues { print($0.bits) }
    /// ```
    ///
    /// - Parameter handle: Borrowed: the caller still has to release it.
    /// - Complexity: O(1), no allocation.
    public init(_ handle: UnsafeMutablePointer<corinth_signal>) where Self == Signal<CValue, CError> {
        self.init(existing: unsafe handle.content("Signal.init"))
    }

    /// The action of a handle: the object itself.
    ///
    /// - Parameter handle: Borrowed: the caller still has to release it.
    /// - Complexity: O(1), no allocation.
    public init(_ handle: UnsafeMutablePointer<corinth_action>) where Self == Action<CValue, CValue, CError> {
        self.init(existing: unsafe handle.content("Action.init"))
    }

    /// The property of a handle: the object itself; nil if it is read-only.
    ///
    /// - Parameter handle: Borrowed: the caller still has to release it.
    /// - Complexity: O(1), no allocation.
    public init?(_ handle: UnsafeMutablePointer<corinth_property>) where Self == MutableProperty<CValue> {
        guard case .mutable(let property) = unsafe handle.content("MutableProperty.init") else { return nil }
        self.init(existing: property)
    }
}

extension SignalProducer where Value == CValue, Error == CError {
    /// The producer of a handle.
    ///
    /// - Parameter handle: Borrowed: the caller still has to release it.
    /// - Complexity: O(1), no allocation.
    public init(_ handle: UnsafeMutablePointer<corinth_producer>) {
        self = unsafe handle.content("SignalProducer.init")
    }
}

extension UnsafeMutablePointer<corinth_input> {
    /// The input of this handle, which the caller still has to release.
    /// - Complexity: O(1), no allocation.
    public var input: Signal<CValue, CError>.Observer { unsafe content("input") }
}

extension UnsafeMutablePointer<corinth_scheduler> {
    /// The scheduler of this handle, which the caller still has to release. One that C code has made has timers, too.
    /// - Complexity: O(1), no allocation.
    public var scheduler: any Scheduler { unsafe content("scheduler") }
}

extension UnsafeMutablePointer<corinth_disposable> {
    /// The disposable of this handle, which the caller still has to release.
    /// - Complexity: O(1), no allocation.
    public var disposable: any Disposable { unsafe content("disposable") }
}

// MARK: For C

extension Signal where Value == CValue, Error == CError {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_signal> { unsafe UnsafeMutablePointer(handing: self) }
}

extension Signal.Observer where Value == CValue, Error == CError {
    /// Makes a handle for C code, which has to release it. The stream goes on at least until then.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_input> { unsafe UnsafeMutablePointer(handing: self) }
}

extension SignalProducer where Value == CValue, Error == CError {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_producer> { unsafe UnsafeMutablePointer(handing: self) }
}

extension Property where Value == CValue {
    /// Makes a handle for C code, which has to release it, and can't set it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_property> {
        unsafe UnsafeMutablePointer(handing: .readOnly(self))
    }
}

extension MutableProperty where Value == CValue {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_property> {
        unsafe UnsafeMutablePointer(handing: .mutable(self))
    }
}

extension Action where Input == CValue, Output == CValue, Error == CError {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_action> { unsafe UnsafeMutablePointer(handing: self) }
}

extension Scheduler {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_scheduler> { unsafe UnsafeMutablePointer(handing: self) }
}

extension Disposable {
    /// Makes a handle for C code, which has to release it.
    /// - Complexity: One allocation.
    public func makeHandle() -> UnsafeMutablePointer<corinth_disposable> { unsafe UnsafeMutablePointer(handing: self) }
}
