/// A derived signal as the receiver of an operator's kernel.
@frozen
@usableFromInline
struct DerivedReceiver<Value, Error: Swift.Error>: Receiver {
    @usableFromInline let core: SignalCore<Value, Error>

    @inlinable @inline(__always)
    init(_ core: SignalCore<Value, Error>) {
        self.core = core
    }

    // Transparent, so that it is inlined without optimisation too. Otherwise each stage takes so much stack that a chain of
    // 10,000 doesn't fit into 8 MiB.
    @_transparent @usableFromInline
    func receive(_ value: Value) {
        core.enterDerived()
        core.deliver(value)
        core.leaveDerived()
    }

    @inlinable @inline(__always)
    func terminate(_ termination: Termination<Error>) { core.terminate(termination) }

    @inlinable
    var onTermination: (Termination<Error>) -> Void {
        @inline(__always)
        get {
            let core = core
            return { core.terminate($0) }
        }
    }
}

extension Signal {
    /// The signal that an operator's kernel derives from this one. It shares this signal's strand. Its delivery is part of
    /// this signal's delivery and costs no atomic operation.
    ///
    /// - Parameter resources: Disposed of when the derived signal terminates, after its observers have been notified, or when
    ///   it can't be observed any more.
    @inlinable @inline(__always)
    func derive<U, F>(
        until resources: CompositeDisposable? = nil,
        _ kernel: (DerivedReceiver<U, F>) -> Sink<Value, Error>
    ) -> Signal<U, F> {
        defer { withExtendedLifetime(self) {} }
        return Signal<U, F>(core.derive(until: resources, kernel))
    }
}

extension SignalCore {
    /// The core of the signal that an operator's kernel derives from this core's signal.
    @inlinable @inline(__always)
    func derive<U, F>(
        until resources: CompositeDisposable? = nil,
        _ kernel: (DerivedReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalCore<U, F> {
        let derived =
            resources.map { ResourcefulCore<U, F>(from: self, until: $0) } ?? SignalCore<U, F>(from: self)
        attach(derived, through: kernel(DerivedReceiver(derived)))
        return derived
    }
}

/// A derived signal that has resources.
@usableFromInline
final class ResourcefulCore<Value, Error: Swift.Error>: SignalCore<Value, Error>, @unchecked Sendable {
    // Sendable as the superclass: this is immutable.
    @usableFromInline let resourcesUntilEnd: CompositeDisposable

    @inlinable
    init(from source: SignalState, until resources: CompositeDisposable) {
        resourcesUntilEnd = resources
        super.init(from: source)
    }

    deinit {
        releaseObservers()
        SignalState.dispose(of: resourcesUntilEnd)
    }

    @usableFromInline
    override var resourcesOfDerived: CompositeDisposable? { resourcesUntilEnd }
}
