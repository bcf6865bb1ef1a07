/// The allocation requests so far.
struct AllocationCount: Equatable {
    var requests: UInt64
    var bytes: UInt64

    /// All threads' requests so far; nil if they can't be counted.
    static func now() -> AllocationCount? {
        guard let requests = ProcessCounters.allocationRequests(), let bytes = ProcessCounters.requestedBytes() else {
            return nil
        }
        return AllocationCount(requests: requests, bytes: bytes)
    }

    func since(_ earlier: AllocationCount) -> AllocationCount {
        AllocationCount(requests: requests - earlier.requests, bytes: bytes - earlier.bytes)
    }
}

/// The allocations of one event.
public struct AllocationsPerEvent: Codable, Equatable, Sendable {
    public var requests: Double
    public var bytes: Double
    /// Counted in the same runs; nil if the kernel doesn't count them.
    public var systemCalls: Double?
}
