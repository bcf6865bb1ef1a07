import Synchronization

/// A histogram that any number of threads record into concurrently, without a lock.
///
/// Unchecked: the storage is allocated once, accessed atomically only, and freed in the deinitialiser.
@safe
public final class AtomicHistogram: @unchecked Sendable {
    private let cells: UnsafeMutableBufferPointer<Atomic<UInt64>>
    private let smallest = Atomic<UInt64>(Histogram.highest)
    private let largest = Atomic<UInt64>(0)

    public init() {
        unsafe cells = .allocate(capacity: Histogram.bucketCount)
        for index in unsafe cells.indices { unsafe cells.initializeElement(at: index, to: Atomic(0)) }
    }

    deinit {
        unsafe cells.deinitialize().deallocate()
    }

    /// Adds one value. Above an hour it counts as an hour, as in ``Histogram``.
    ///
    /// - Complexity: O(1), without allocation. Wait-free; lock-free for a new minimum or maximum.
    public func record(_ value: UInt64) {
        let value = min(value, Histogram.highest)
        // relaxed: only counts. A reader synchronises with the recording threads by other means.
        unsafe cells[Histogram.bucket(of: value)].wrappingAdd(1, ordering: .relaxed)
        if value < smallest.load(ordering: .relaxed) { smallest.min(value, ordering: .relaxed) }
        if value > largest.load(ordering: .relaxed) { largest.max(value, ordering: .relaxed) }
    }

    /// The values recorded so far. While other threads record, it may lack some of their values.
    public func snapshot() -> Histogram {
        var counts: [Int: UInt64] = [:]
        for index in unsafe cells.indices {
            let count = unsafe cells[index].load(ordering: .relaxed)
            if count > 0 { counts[index] = count }
        }
        let low = smallest.load(ordering: .relaxed)
        return Histogram(counts: counts, smallest: low, largest: largest.load(ordering: .relaxed))
    }
}
