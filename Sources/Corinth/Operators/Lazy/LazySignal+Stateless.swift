// Swift 6.3 captures a `sending` parameter in a box and checks each access to it. So closures are copied first.
extension LazySignal {
    /// Transforms each value.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func map<U>(_ transform: sending @escaping (Value) -> U) -> LazySignal<Map<U>> {
        let (rule, stages, transform) = (rule, stages, transform)
        return appending(
            rule: { if let value = rule($0) { transform(value) } else { nil } },
            stages: { Map(source: stages(), transform: transform) })
    }

    /// The stages of ``map(_:)``.
    @frozen
    public struct Map<Value>: LazyStages {
        public typealias Input = Stages.Input
        public typealias InputError = Stages.InputError
        public typealias Error = Stages.Error

        @usableFromInline let source: Stages
        @usableFromInline let transform: (Stages.Value) -> Value

        @export(implementation) @inline(__always)
        init(source: Stages, transform: @escaping (Stages.Value) -> Value) {
            self.source = source
            self.transform = transform
        }

        @export(implementation)
        public static var isStateless: Bool { Stages.isStateless }

        @export(implementation) @inline(__always)
        public func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value? {
            if let value = source.step(value, end) { transform(value) } else { nil }
        }
    }

    /// Transforms each value, and sends the results that aren't nil.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func compactMap<U>(_ transform: sending @escaping (Value) -> U?) -> LazySignal<CompactMap<U>> {
        let (rule, stages, transform) = (rule, stages, transform)
        return appending(
            rule: { if let value = rule($0) { transform(value) } else { nil } },
            stages: { CompactMap(source: stages(), transform: transform) })
    }

    /// The stages of ``compactMap(_:)``.
    @frozen
    public struct CompactMap<Value>: LazyStages {
        public typealias Input = Stages.Input
        public typealias InputError = Stages.InputError
        public typealias Error = Stages.Error

        @usableFromInline let source: Stages
        @usableFromInline let transform: (Stages.Value) -> Value?

        @export(implementation) @inline(__always)
        init(source: Stages, transform: @escaping (Stages.Value) -> Value?) {
            self.source = source
            self.transform = transform
        }

        @export(implementation)
        public static var isStateless: Bool { Stages.isStateless }

        @export(implementation) @inline(__always)
        public func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value? {
            if let value = source.step(value, end) { transform(value) } else { nil }
        }
    }

    /// Forwards the values for which `isIncluded` returns true.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func filter(_ isIncluded: sending @escaping (Value) -> Bool) -> LazySignal<Filter> {
        let (rule, stages, isIncluded) = (rule, stages, isIncluded)
        return appending(
            rule: { if let value = rule($0), isIncluded(value) { value } else { nil } },
            stages: { Filter(source: stages(), isIncluded: isIncluded) })
    }

    /// The stages of ``filter(_:)``.
    @frozen
    public struct Filter: LazyStages {
        public typealias Input = Stages.Input
        public typealias InputError = Stages.InputError
        public typealias Value = Stages.Value
        public typealias Error = Stages.Error

        @usableFromInline let source: Stages
        @usableFromInline let isIncluded: (Value) -> Bool

        @export(implementation) @inline(__always)
        init(source: Stages, isIncluded: @escaping (Value) -> Bool) {
            self.source = source
            self.isIncluded = isIncluded
        }

        @export(implementation)
        public static var isStateless: Bool { Stages.isStateless }

        @export(implementation) @inline(__always)
        public func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value? {
            if let value = source.step(value, end), isIncluded(value) { value } else { nil }
        }
    }

    /// Runs a closure for each value, before the value is forwarded.
    ///
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func on(value action: sending @escaping (Value) -> Void) -> LazySignal<Filter> {
        let action = action
        return filter {
            action($0)
            return true
        }
    }

    /// Transforms the error of a failure.
    ///
    /// - Parameter transform: Transforms the error. Runs at most once, on the thread that delivers the failure.
    /// - Complexity: O(1) and no allocation per value.
    @export(implementation) @inline(__always)
    public func mapError<F>(_ transform: sending @escaping (Error) -> F) -> LazySignal<MapError<F>> {
        let (rule, stages, end, transform) = (rule, stages, end, transform)
        return LazySignal<MapError<F>>(
            source, rule: rule, stages: { MapError(source: stages(), transform: transform) },
            end: { end($0).mapError(transform) })
    }

    /// The stages of ``mapError(_:)``.
    @frozen
    public struct MapError<Error: Swift.Error>: LazyStages {
        public typealias Input = Stages.Input
        public typealias InputError = Stages.InputError
        public typealias Value = Stages.Value

        @usableFromInline let source: Stages
        @usableFromInline let transform: (Stages.Error) -> Error

        @export(implementation) @inline(__always)
        init(source: Stages, transform: @escaping (Stages.Error) -> Error) {
            self.source = source
            self.transform = transform
        }

        @export(implementation)
        public static var isStateless: Bool { Stages.isStateless }

        @export(implementation) @inline(__always)
        public func step(_ value: Input, _ end: (Termination<Error>) -> Void) -> Value? {
            source.step(value) { end($0.mapError(transform)) }
        }
    }
}
