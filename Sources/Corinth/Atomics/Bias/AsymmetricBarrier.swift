public import CCorinth

/// Asymmetric barriers, for two threads that each store to one word and then load the other's, where one of them must see the
/// other's store (Dekker's pattern).
///
/// With sequential orders, each side pays for a locked instruction or a fence. Here the side that acts often pays nothing: it
/// stores, executes ``light(site:)``, and loads. The side that acts rarely stores, executes ``heavy(site:)``, which is a system
/// call, and loads. The orders of the stores and loads may be relaxed.
///
/// A light barrier alone orders nothing between threads, and neither do two light barriers. Source: *P1202R5: Asymmetric
/// Fences*, David Goldblatt, 2022.
@frozen
@usableFromInline
enum AsymmetricBarrier {
    /// Keeps the compiler from moving a later load before an earlier store. No instruction, where the system has `membarrier`;
    /// elsewhere a full barrier.
    @inlinable @inline(__always)
    static func light(site: StaticString = #function) {
        #if Exploration
            Explorer.lightBarrier(at: site)
        #endif
        ccorinth_light_barrier()
    }

    /// The same, for code that only runs if ``isAsymmetric``.
    @inlinable @inline(__always)
    static func lightIfAsymmetric(site: StaticString = #function) {
        #if Exploration
            Explorer.lightBarrier(at: site)
        #endif
        ccorinth_compiler_barrier()
    }

    /// Whether a light barrier is no instruction. Never with thread sanitizer, which doesn't know such barriers.
    @inlinable
    static var isAsymmetric: Bool { ccorinth_has_asymmetric_barriers() }

    /// Makes the stores that any thread made before its last light barrier visible to the caller's later loads, and the
    /// caller's earlier stores visible to every thread's loads after its next light barrier. About a microsecond.
    @inlinable
    static func heavy(site: StaticString = #function) {
        #if Exploration
            Explorer.heavyBarrier(at: site)
        #endif
        ccorinth_heavy_barrier()
    }
}
