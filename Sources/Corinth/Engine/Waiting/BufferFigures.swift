/// What ``Inspector`` reads of a buffer, while others use it: each figure is one that was true a moment ago.
struct BufferFigures {
    /// How many elements are queued.
    var depth: UInt64 = 0

    /// nil if it is unbounded.
    var capacity: UInt64?

    /// How many threads, drains and tasks wait for a permit.
    var waiting = 0

    /// How often one more capacity was admitted because nothing was delivered, and how many permits were taken beyond the bound,
    /// because their takers would have waited for themselves.
    var stalls: UInt64 = 0
    var excesses: UInt64 = 0

    /// How many elements were ever posted, how many of them were delivered, and how many dropped, where that is counted.
    var posted: UInt64?
    var delivered: UInt64?
    var dropped: UInt64?

    /// How often the scheduler was asked for a drain, where that is counted.
    var wakes: UInt64?

    /// Identifies the buffer, and the one for which its drain has stopped; 0 if there is none.
    var id: UInt64 = 0
    var blocker: UInt64 = 0
}

/// A hop's queue, as ``Inspector`` sees it.
protocol InspectedHop: AnyObject {
    var figures: BufferFigures { get }

    /// Owned while elements are delivered.
    var strand: Strand { get }

    var scheduler: any WorkItemScheduler { get }

    /// Whether a full queue drops elements. Otherwise its senders wait.
    var drops: Bool { get }
}
