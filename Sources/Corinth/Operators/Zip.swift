extension Signal {
    /// Sends the first values of all of them, in their order, then the second ones, and so on.
    ///
    /// Completes when one that has completed has nothing left; fails or is interrupted when one does. Without any it completes at once.
    ///
    /// - Complexity: O(signals) per value, and an array for each that is sent.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public static func zip<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Error>
    where Signals.Element == Signal<Value, Error> {
        let signals = Array(signals)
        return signals.isEmpty
            ? .empty : .joining { Gathering(SingleUse.self, $0).connect(signals) }
    }

    /// Sends the first values of both, then the second ones, and so on. See ``zip(_:_:)``.
    @inlinable
    public func zip<U>(with other: Signal<U, Error>) -> Signal<(Value, U), Error> {
        Signal.zip(self, other)
    }

    /// Sends the first values of all of them, in their order, then the second ones, and so on.
    ///
    /// Completes when one that has completed has nothing left; fails or is interrupted when one does.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the signals may send on different threads at once.
    @inlinable
    public static func zip<B>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>
    ) -> Signal<(Value, B), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b) }
    }

    /// Sends the values of 3 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>
    ) -> Signal<(Value, B, C), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c) }
    }

    /// Sends the values of 4 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>
    ) -> Signal<(Value, B, C, D), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d) }
    }

    /// Sends the values of 5 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>
    ) -> Signal<(Value, B, C, D, E), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e) }
    }

    /// Sends the values of 6 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E, F>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>,
        _ f: Signal<F, Error>
    ) -> Signal<(Value, B, C, D, E, F), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f) }
    }

    /// Sends the values of 7 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E, F, G>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>,
        _ f: Signal<F, Error>,
        _ g: Signal<G, Error>
    ) -> Signal<(Value, B, C, D, E, F, G), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g) }
    }

    /// Sends the values of 8 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E, F, G, H>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>,
        _ f: Signal<F, Error>,
        _ g: Signal<G, Error>,
        _ h: Signal<H, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h) }
    }

    /// Sends the values of 9 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E, F, G, H, I>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>,
        _ f: Signal<F, Error>,
        _ g: Signal<G, Error>,
        _ h: Signal<H, Error>,
        _ i: Signal<I, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H, I), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h, i) }
    }

    /// Sends the values of 10 signals together. See ``zip(_:_:)``.
    @inlinable
    public static func zip<B, C, D, E, F, G, H, I, J>(
        _ a: Signal<Value, Error>,
        _ b: Signal<B, Error>,
        _ c: Signal<C, Error>,
        _ d: Signal<D, Error>,
        _ e: Signal<E, Error>,
        _ f: Signal<F, Error>,
        _ g: Signal<G, Error>,
        _ h: Signal<H, Error>,
        _ i: Signal<I, Error>,
        _ j: Signal<J, Error>
    ) -> Signal<(Value, B, C, D, E, F, G, H, I, J), Error> {
        .joining { Gathering(SingleUse.self, $0).connect(a, b, c, d, e, f, g, h, i, j) }
    }
}
