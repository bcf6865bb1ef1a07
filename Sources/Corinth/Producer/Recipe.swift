/// Holds a recipe for the sake of its release.
///
/// A recipe holds that of what is upstream, and that the next one: released by the last reference, each would release the next from
/// inside, as deep as operators were applied. One in ``distance`` is in such a box, which has what it holds go on the trampoline.
///
/// Not each of them: the compiler sees through the closures of a chain that is put together where it is started, and not through an
/// object.
@usableFromInline
final class RecipeBox<Value, Error: Swift.Error>: @unchecked Sendable {  // Written by no one but `deinit`.
    @safe @exclusivity(unchecked)
    private var recipe: SignalProducer<Value, Error>.Recipe?

    @usableFromInline
    init(_ recipe: @escaping SignalProducer<Value, Error>.Recipe) {
        self.recipe = recipe
    }

    deinit {
        if Trampoline.beginRelease() {
            release()
            Trampoline.endRelease()
        } else {
            let rest = recipe
            Trampoline.postpone { withExtendedLifetime(rest) {} }
        }
    }

    /// A call, so that the release isn't moved to where it isn't counted.
    @inline(never)
    private func release() { recipe = nil }

    @usableFromInline
    var boxed: SignalProducer<Value, Error>.Recipe {
        // It is there until the last reference goes.
        { sink, run in
            StackRoom.check()
            unsafe self.recipe.unsafelyUnwrapped(sink, run)
        }
    }
}

/// How many recipes are nested, one in the other, above the next ``RecipeBox``.
@frozen
@usableFromInline
struct RecipeDepth: Sendable {
    @usableFromInline let count: UInt8

    @inlinable @inline(__always)
    init(_ count: UInt8) { self.count = count }

    /// A recipe that holds no other one.
    @inlinable static var none: RecipeDepth { RecipeDepth(0) }

    /// A recipe that may hold any others.
    @inlinable static var unknown: RecipeDepth { RecipeDepth(.max) }

    /// How many may be nested without a box.
    @inlinable static var distance: UInt8 { 32 }

    @inlinable
    static func deepest(_ left: RecipeDepth, _ right: RecipeDepth) -> RecipeDepth {
        left.count < right.count ? right : left
    }
}
