/// The number of running and of waiting inner streams of a flattened stream, in one atomic word.
///
/// The thread that sends an inner stream decides whether it may run. The thread that ends one decides which one follows.
/// Neither needs the strand. An inner stream is therefore started before the delivery of its event ends, and receives all
/// events that an inner signal sends after that.
///
/// An outer stream sends one inner stream at a time.
@frozen
@usableFromInline
struct Admission: ~Copyable, Sendable {
    /// release when a stream ends, acquire when a stream may run: the events of the one reach the strand before those of the
    /// other. Otherwise relaxed: a flag guards the waiting streams, and an update by any thread continues the release sequence.
    @usableFromInline let word = AtomicState<AdmissionWord>(.none)

    @inlinable @inline(__always)
    init() {}

    /// Whether a new stream may run now. A true result stays true until the outer stream sends another stream.
    @inlinable @inline(__always)
    func isFree(limit: UInt) -> Bool { word.load(.acquire).isFree(limit: limit) }

    /// Counts a running stream if fewer than `limit` run and none waits. Called by the thread that sends the stream.
    @inlinable
    func start(limit: UInt) -> Bool {
        if !isFree(limit: limit) { return false }
        // Only this thread adds, so the count can't grow between the load and the addition.
        word.fetchAdd(.oneRunning, .relaxed) { $0.starting(limit: limit) }
        return true
    }

    /// Counts a waiting stream, unless it may run now. Called by the thread that sends the stream, with the flag.
    ///
    /// - Returns: Whether the stream waits.
    @inlinable
    func wait(limit: UInt) -> Bool {
        word.update(.relaxed) { $0.queuing(limit: limit) }.new != nil
    }

    /// Counts one running stream less, unless streams wait. In that case, one of them replaces the one that ended.
    ///
    /// - Returns: Whether no stream waits.
    @inlinable
    func finish() -> Bool {
        word.update(.release) { $0.finishing() }.new != nil
    }

    /// Counts one waiting stream less. Called with the flag.
    @inlinable
    func takeOut() { word.fetchSubtract(.oneWaiting, .relaxed) { $0.takingOut() } }
}
