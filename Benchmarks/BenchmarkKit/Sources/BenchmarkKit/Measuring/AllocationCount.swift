/// The allocation requests so far.
struct AllocationCount: Equatable {
    var requests: UInt64
    var bytes: UInt64

    /// All threads' requests so far; nil if they can't be counted.
    ///
    /// - Parameter keepsObjects: Whether to count the bytes that are allocated now, instead of those that were requested.
    static func now(keepsObjects: Bool = false) -> AllocationCount? {
        guard let requests = ProcessCounters.allocationRequests(),
            let bytes = keepsObjects ? ProcessCounters.allocatedBytes() : ProcessCounters.requestedBytes()
        else { return nil }
        return AllocationCount(requests: requests, bytes: bytes)
    }

    func adding(_ more: AllocationCount) -> AllocationCount {
        AllocationCount(requests: requests + more.requests, bytes: bytes + more.bytes)
    }

    func since(_ earlier: AllocationCount) -> AllocationCount {
        // A run may have released objects of an earlier one.
        AllocationCount(requests: requests - earlier.requests, bytes: bytes - min(bytes, earlier.bytes))
    }
}

/// The allocations of one event.
public struct AllocationsPerEvent: Codable, Equatable, Sendable {
    public var requests: Double
    public var bytes: Double
    /// Counted in the same runs; nil if the kernel doesn't count them.
    public var systemCalls: Double?
}
