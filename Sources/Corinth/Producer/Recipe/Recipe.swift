/// What the innermost recipe of a chain sends, for example the elements of a sequence. Empty for most sources.
///
/// A recipe receives it as an argument and doesn't capture it. So the recipe of such a source captures nothing. Nor does a
/// recipe that applies an operator to it, if the operator's closures capture nothing. A closure without captures is a
/// constant for the compiler. It makes one loop of the whole chain where the chain is built, and a start calls that loop
/// from anywhere.
@frozen
@usableFromInline
@safe struct RecipeSource: @unchecked Sendable {  // All starts share it, as the producer's creator intends.
    @usableFromInline let box: AnyObject?

    @inlinable @inline(__always)
    init(box: AnyObject?) { self.box = box }

    @inlinable @inline(__always)
    init<Content>(_ content: Content) { box = RecipeContent(content) }

    @inlinable @inline(__always)
    static var none: RecipeSource { RecipeSource(box: nil) }

    /// The content. Its type is the one that this was made with, because each recipe is made together with its source.
    @inlinable @inline(__always)
    func content<Content>(as type: Content.Type = Content.self) -> Content {
        unsafe unsafeDowncast(box.unsafelyUnwrapped, to: RecipeContent<Content>.self).content
    }
}

@usableFromInline
final class RecipeContent<Content> {
    @usableFromInline let content: Content

    @inlinable
    init(_ content: Content) { self.content = content }
}

/// Holds a recipe and controls its release.
///
/// A recipe holds its upstream recipe, which holds the next one. Without boxes, the last release would recurse as deeply as
/// operators were applied. Every ``distance``-th recipe is therefore in a box, which releases its content on the trampoline.
///
/// The others have no box: the compiler can optimise the closures of a chain that is built where it is started, but not
/// through an object.
@usableFromInline
final class RecipeBox<Value, Error: Swift.Error>: @unchecked Sendable {  // Written only by `deinit`.
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

    /// A separate function, so that the compiler doesn't move the release to a place where it isn't counted.
    @inline(never)
    private func release() { recipe = nil }

    /// - Parameter isLong: Whether this is a recipe in a long chain, through which values pass in turn.
    @usableFromInline
    func boxed(isLong: Bool) -> SignalProducer<Value, Error>.Recipe {
        // Not nil until the last reference is released.
        if isLong {
            { source, sink, run in
                StackSpace.require()
                unsafe self.recipe.unsafelyUnwrapped(source, sink.requiringStack, run)
            }
        } else {
            { source, sink, run in
                StackSpace.require()
                unsafe self.recipe.unsafelyUnwrapped(source, sink, run)
            }
        }
    }
}

/// How many sources feed a start.
@frozen
@usableFromInline
enum RecipeInputs: Sendable {
    /// One, without which it sends nothing and doesn't end.
    case one
    /// Any number, or what a user starts.
    case many
}

/// The number of nested recipes above the next ``RecipeBox``, or of nested closures that make a value.
@frozen
@usableFromInline
struct RecipeDepth: Sendable {
    @usableFromInline let count: UInt8

    @inlinable @inline(__always)
    init(_ count: UInt8) { self.count = count }

    /// A recipe that contains no other recipe.
    @inlinable static var none: RecipeDepth { RecipeDepth(0) }

    /// A recipe that may contain any recipes.
    @inlinable static var unknown: RecipeDepth { RecipeDepth(.max) }

    /// The maximum number of nested recipes without a box.
    @inlinable static var distance: UInt8 { 32 }

    @inlinable
    static func deepest(_ left: RecipeDepth, _ right: RecipeDepth) -> RecipeDepth {
        left.count < right.count ? right : left
    }
}
