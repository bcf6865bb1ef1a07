/// A derived signal, as what an operator's kernel sends to.
@frozen
@usableFromInline
struct DerivedReceiver<Value, Error: Swift.Error>: Receiver {
    @usableFromInline let core: SignalCore<Value, Error>

    @inlinable @inline(__always)
    init(_ core: SignalCore<Value, Error>) {
        self.core = core
    }

    // Transparent, so that it is inlined without optimisation, too: a stage would take so much stack there that a chain of
    // 10,000 would not fit into 8 MiB.
    @_transparent @usableFromInline
    func receive(_ value: Value) {
        core.strand.enterDerived()
        core.deliver(value)
        core.strand.leaveDerived()
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
    /// The signal that an operator's kernel makes of this one. It shares this one's strand: its delivery is part of this
    /// one's, and costs no atomic operation.
    ///
    /// - Parameter resources: Disposed of when the derived signal ends, after its observers have been told, or when nobody
    ///   can observe it any more.
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
    /// The core of the signal that an operator's kernel makes of this one's.
    @inlinable @inline(__always)
    func derive<U, F>(
        until resources: CompositeDisposable? = nil,
        _ kernel: (DerivedReceiver<U, F>) -> Sink<Value, Error>
    ) -> SignalCore<U, F> {
        let derived = SignalCore<U, F>(strand: strand.derived(), resources: resources)
        attach(derived, through: kernel(DerivedReceiver(derived)))
        return derived
    }
}
