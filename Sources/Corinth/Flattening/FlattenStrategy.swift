/// How a stream of streams is flattened into one stream.
///
/// With every strategy, a failure of the outer stream or of an inner stream ends the result at once. So does an
/// interruption of the outer stream.
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

    /// Whether an interruption of an inner stream interrupts the result. If false, it counts as a completion.
    @inlinable
    var passesInterruption: Bool {
        if case .race = kind { true } else { false }
    }

    /// Whether inner streams may wait in a buffer.
    @inlinable
    var queues: Bool {
        switch kind {
        case .concurrent, .concatEager: true
        case .latest, .race, .throttle: false
        }
    }

    /// Runs all inner streams at once, and forwards their values as they arrive.
    ///
    ///     outer   --A----B-----------|
    ///     A         --1-----2--|
    ///     B              --3-----4--|
    ///     result  ----1----3-2---4--|
    ///
    /// Completes when the outer stream and all inner streams have completed. An interrupted inner stream counts as completed.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// Runs one inner stream after another, in FIFO order. The others wait in a queue.
    ///
    ///     outer   --A-B-------------|
    ///     A         --1--2|
    ///     B               --3--4|
    ///     result  ----1--2--3--4|
    ///
    /// Completes when the outer stream and all inner streams have completed. An interrupted inner stream counts as completed.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// Runs up to `limit` inner streams at once. The others wait in a queue.
    ///
    /// Completes when the outer stream and all inner streams have completed. An interrupted inner stream counts as completed.
    ///
    /// - Parameter limit: The maximum number of running inner streams. At least 1.
    public static func concurrent(limit: UInt) -> FlattenStrategy {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return FlattenStrategy(kind: .concurrent(limit: limit))
    }

    /// Runs up to `limit` inner streams at once, and sends their values as if they had run one after another.
    ///
    ///     outer   --A-B-------------|
    ///     A         --1-----2|
    ///     B           --3-4--|
    ///     result  ----1-----234-----|
    ///
    /// The values of a stream wait until all earlier streams have completed. Their buffers are unbounded, unless
    /// `flatMap(_:bufferingPolicy:statistics:_:)` sets a bound. A failure doesn't wait. Completes when the outer stream
    /// and all inner streams have completed. An interrupted inner stream counts as completed.
    ///
    /// - Parameter limit: The maximum number of inner streams that run or have waiting values. At least 1.
    public static func concatEager(limit: UInt = .max) -> FlattenStrategy {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return FlattenStrategy(kind: .concatEager(limit: limit))
    }

    /// Runs the newest inner stream. A new inner stream disposes of the previous one.
    ///
    ///     outer   --A------B--------|
    ///     A         --1--2--3--
    ///     B                --4--5|
    ///     result  ----1--2---4--5---|
    ///
    /// Completes when the outer stream and the last inner stream have completed. An interrupted inner stream counts as
    /// completed.
    public static let latest = FlattenStrategy(kind: .latest)

    /// Forwards the first inner stream that sends an event. Disposes of all others, and ignores later ones.
    ///
    ///     outer   --A-B--------------|
    ///     A         ------1--2--
    ///     B           --3---4---5|
    ///     result  ------3---4---5----|
    ///
    /// Completes when the outer stream and the winner have completed. An interruption of the winner interrupts the result.
    public static let race = FlattenStrategy(kind: .race)

    /// Runs one inner stream. Ignores inner streams that arrive before it has ended.
    ///
    ///     outer   --A---B------C-----|
    ///     A         --1---2|
    ///     B             (ignored)
    ///     C                    --3|
    ///     result  ----1---2------3---|
    ///
    /// Completes when the outer stream and the running inner stream have completed. An interrupted inner stream counts as
    /// completed.
    public static let throttle = FlattenStrategy(kind: .throttle)
}
