/// How the streams that a stream sends are made into one.
///
/// Whatever the strategy: a failure, of the outer stream or of an inner one, ends the result at once. An interruption of the
/// outer stream does, too.
public struct FlattenStrategy: Sendable {
    @usableFromInline
    enum Kind: Sendable {
        case concurrent(limit: UInt)
        case concatEager(limit: UInt)
        case latest
        case race
        case throttle
    }

    @usableFromInline let kind: Kind

    /// Whether an inner stream's interruption is one of the result, instead of counting as a completion.
    @inlinable
    var passesInterruption: Bool {
        if case .race = kind { true } else { false }
    }

    /// Whether inner streams are handed to a buffer, in which they may wait.
    @inlinable
    var queues: Bool {
        switch kind {
        case .concurrent, .concatEager: true
        case .latest, .race, .throttle: false
        }
    }

    /// All inner streams at once: their values are passed on as they come.
    ///
    ///     outer   --A----B-----------|
    ///     A         --1-----2--|
    ///     B              --3-----4--|
    ///     result  ----1----3-2---4--|
    ///
    /// Completes when the outer stream and all inner ones have; an inner stream that is interrupted counts as complete.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// One inner stream after the other, in the order in which they came. Those whose turn has not come wait.
    ///
    ///     outer   --A-B-------------|
    ///     A         --1--2|
    ///     B               --3--4|
    ///     result  ----1--2--3--4|
    ///
    /// Completes when the outer stream and all inner ones have; an inner stream that is interrupted counts as complete.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// Up to `limit` inner streams at once; the others wait for their turn.
    ///
    /// Completes when the outer stream and all inner ones have; an inner stream that is interrupted counts as complete.
    ///
    /// - Parameter limit: At least 1.
    public static func concurrent(limit: UInt) -> FlattenStrategy {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return FlattenStrategy(kind: .concurrent(limit: limit))
    }

    /// Up to `limit` inner streams at once, whose values are passed on as if they had run one after the other.
    ///
    ///     outer   --A-B-------------|
    ///     A         --1-----2|
    ///     B           --3-4--|
    ///     result  ----1-----234-----|
    ///
    /// The values of a stream wait until those before it are complete. They are not bounded but by `limit` and by what the
    /// streams send, unless `flatMap(_:on:bufferingPolicy:statistics:_:)` sets a bound. A failure doesn't wait. Completes when
    /// the outer stream and all inner ones have; an inner stream that is interrupted counts as complete.
    ///
    /// - Parameter limit: How many inner streams run, or have values that wait. At least 1.
    public static func concatEager(limit: UInt = .max) -> FlattenStrategy {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return FlattenStrategy(kind: .concatEager(limit: limit))
    }

    /// The newest inner stream: the one before it is cancelled when it comes.
    ///
    ///     outer   --A------B--------|
    ///     A         --1--2--3--
    ///     B                --4--5|
    ///     result  ----1--2---4--5---|
    ///
    /// Completes when the outer stream and its last inner one have; an inner stream that is interrupted counts as complete.
    public static let latest = FlattenStrategy(kind: .latest)

    /// The inner stream that is the first to send any event: all others are cancelled, and those that come later are ignored.
    ///
    ///     outer   --A-B--------------|
    ///     A         ------1--2--
    ///     B           --3---4---5|
    ///     result  ------3---4---5----|
    ///
    /// Completes when the outer stream and the winner have; it is interrupted with the winner.
    public static let race = FlattenStrategy(kind: .race)

    /// The inner stream that runs: those that come before it has ended are ignored.
    ///
    ///     outer   --A---B------C-----|
    ///     A         --1---2|
    ///     B             (ignored)
    ///     C                    --3|
    ///     result  ----1---2------3---|
    ///
    /// Completes when the outer stream and the inner one that runs have; an inner stream that is interrupted counts as complete.
    public static let throttle = FlattenStrategy(kind: .throttle)
}
