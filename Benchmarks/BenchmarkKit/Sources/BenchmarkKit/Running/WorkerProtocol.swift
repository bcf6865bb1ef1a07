/// A request of the driver to a worker: one line of JSON.
enum WorkerRequest: Codable, Equatable {
    /// Creates the scenario and warms it up; with `singly`, without warm-up. `events` is the number of events of a run, if
    /// earlier processes have found it.
    case open(scenario: String, direct: Bool, settings: Settings, singly: Bool, events: Int? = nil)
    /// Runs it once, or one of `parts` of a run.
    case sample(direct: Bool, parts: Int? = nil)
    /// Returns the summary and releases the scenario.
    case finish(direct: Bool)
    /// Counts the allocations of an event, in a scenario created and warmed up for that.
    case countAllocations(scenario: String, direct: Bool, settings: Settings)
}

/// An answer of a worker: one line of JSON for each request, and one after the start.
enum WorkerResponse: Codable, Equatable {
    /// The worker has started. It is this build.
    case ready(build: String)
    /// The scenario is open, a run has so many events, and it can be taken in so many parts. An older worker doesn't say these.
    case opened(events: Int? = nil, parts: Int? = nil)
    case sampled(Sample)
    case finished(Summary)
    case counted(AllocationsPerEvent?)
    /// A check failed, or the scenario could not be created.
    case failed(String)
}
