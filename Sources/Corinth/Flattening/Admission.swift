/// How many inner streams of a flattened stream run, and how many wait for their turn: one atomic word.
///
/// Whether an inner stream may run is settled by the thread that brings it, and which one follows an end by the thread that ends,
/// whoever owns the strand meanwhile. So an inner stream is started before the event that brought it has been delivered, and a signal
/// loses nothing of what it sends after that event.
///
/// An outer stream brings one inner stream at a time.
@frozen
@usableFromInline
struct Admission {
    /// The lower half counts those that run, the upper half those that wait.
    ///
    /// relaxed in all of them: the word publishes nothing. What an inner stream does reaches the others through the strand, and what
    /// waits is handed over under a flag.
    @usableFromInline let word: AtomicWord

    @inlinable @inline(__always)
    init(_ word: AtomicWord) { self.word = word }

    @inlinable static var waiting: UInt64 { 1 << 32 }

    /// Whether a stream that comes now may run. It stays true until the outer stream brings another one.
    @inlinable @inline(__always)
    func isFree(limit: UInt) -> Bool { word.load(.relaxed) < min(UInt64(limit), Admission.waiting) }

    /// Has a stream run, if none waits and fewer run than may. Called by the thread that brings it.
    @inlinable
    func start(limit: UInt) -> Bool {
        if !isFree(limit: limit) { return false }
        // Between the look and the addition nothing can be added.
        word.fetchAdd(1, .relaxed)
        return true
    }

    /// Has a stream wait, unless it may run by now. Called by the thread that brings it, with the flag.
    ///
    /// - Returns: Whether it waits.
    @inlinable
    func wait(limit: UInt) -> Bool {
        var seen = word.load(.relaxed)
        while seen >= min(UInt64(limit), Admission.waiting) {
            let result = word.compareExchange(seen, seen &+ Admission.waiting, .relaxed)
            if result.won { return true }
            seen = result.seen
        }
        return false
    }

    /// A stream runs no more, unless there are some that wait: then one of them runs in its place.
    ///
    /// - Returns: Whether none waits.
    @inlinable
    func finish() -> Bool {
        var seen = word.load(.relaxed)
        while seen < Admission.waiting {
            let result = word.compareExchange(seen, seen &- 1, .relaxed)
            if result.won { return true }
            seen = result.seen
        }
        return false
    }

    /// A stream waits no more. Called with the flag.
    @inlinable
    func takeOut() { word.fetchSubtract(Admission.waiting, .relaxed) }
}
