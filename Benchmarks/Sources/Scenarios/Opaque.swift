import BenchmarkKit

// Closures that are opaque to the optimiser, for the direct sides.
//
// Each kind has its own box. The compiler wraps a closure that passes through generic code (an array, `opaque` itself), so
// that it takes its arguments by address. That adds two calls to each call, which would favour the library.

/// An observer that can't be inlined.
func opaqueObserver(_ body: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void {
    opaque(ObserverBox(body)).body
}

/// A map that can't be inlined.
func opaqueMap(_ body: @escaping (Int) -> Int) -> (Int) -> Int {
    opaque(MapBox(body)).body
}

/// A filter that can't be inlined.
func opaqueFilter(_ body: @escaping (Int) -> Bool) -> (Int) -> Bool {
    opaque(FilterBox(body)).body
}

final class ObserverBox: Sendable {
    let body: @Sendable (Int) -> Void

    init(_ body: @escaping @Sendable (Int) -> Void) {
        self.body = body
    }
}

private final class MapBox {
    let body: (Int) -> Int

    init(_ body: @escaping (Int) -> Int) {
        self.body = body
    }
}

private final class FilterBox {
    let body: (Int) -> Bool

    init(_ body: @escaping (Int) -> Bool) {
        self.body = body
    }
}
