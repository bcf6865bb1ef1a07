// Tests/arities writes this file. Change the templates there, and run `Tests/arities --write`.

extension SignalProducer {
    /// Starts 2 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        return merge([a, b])
    }

    /// Starts 3 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        return merge([a, b, c])
    }

    /// Starts 4 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        return merge([a, b, c, d])
    }

    /// Starts 5 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        return merge([a, b, c, d, e])
    }

    /// Starts 6 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>, _ f: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        return merge([a, b, c, d, e, f])
    }

    /// Starts 7 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>, _ f: some SignalProducerConvertible<Value, Error>,
        _ g: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        return merge([a, b, c, d, e, f, g])
    }

    /// Starts 8 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>, _ f: some SignalProducerConvertible<Value, Error>,
        _ g: some SignalProducerConvertible<Value, Error>, _ h: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        return merge([a, b, c, d, e, f, g, h])
    }

    /// Starts 9 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>, _ f: some SignalProducerConvertible<Value, Error>,
        _ g: some SignalProducerConvertible<Value, Error>, _ h: some SignalProducerConvertible<Value, Error>,
        _ i: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        let i = i.producer
        return merge([a, b, c, d, e, f, g, h, i])
    }

    /// Starts 10 producers in their order, and passes on their values. See ``merge(_:)``.
    @export(implementation)
    public static func merge(
        _ a: some SignalProducerConvertible<Value, Error>, _ b: some SignalProducerConvertible<Value, Error>,
        _ c: some SignalProducerConvertible<Value, Error>, _ d: some SignalProducerConvertible<Value, Error>,
        _ e: some SignalProducerConvertible<Value, Error>, _ f: some SignalProducerConvertible<Value, Error>,
        _ g: some SignalProducerConvertible<Value, Error>, _ h: some SignalProducerConvertible<Value, Error>,
        _ i: some SignalProducerConvertible<Value, Error>, _ j: some SignalProducerConvertible<Value, Error>
    ) -> SignalProducer<Value, Error> {
        let a = a.producer
        let b = b.producer
        let c = c.producer
        let d = d.producer
        let e = e.producer
        let f = f.producer
        let g = g.producer
        let h = h.producer
        let i = i.producer
        let j = j.producer
        return merge([a, b, c, d, e, f, g, h, i, j])
    }
}
