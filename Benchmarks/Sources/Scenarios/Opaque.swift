import BenchmarkKit

// Closures that the optimiser knows nothing about, for the plain equivalents.
//
// Each kind has a box of its own. A closure that passes through something generic (an array, `opaque` itself) is
// wrapped so that it takes its arguments by address: two calls more for each call, which would flatter the library.

/// An observer that must be called.
func opaqueObserver(_ body: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void {
    opaque(ObserverBox(body)).body
}

/// A map that must be called.
func opaqueMap(_ body: @escaping (Int) -> Int) -> (Int) -> Int {
    opaque(MapBox(body)).body
}

/// A filter that must be called.
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
