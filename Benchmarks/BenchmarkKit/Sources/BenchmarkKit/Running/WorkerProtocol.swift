/// A request of the driver to a worker: one line of JSON.
enum WorkerRequest: Codable, Equatable {
    /// Creates the scenario and warms it up; with `singly`, without warm-up. `events` is the number of events of a run, if
    /// earlier processes have found it.
    case open(scenario: String, direct: Bool, settings: Settings, singly: Bool, events: Int? = nil)
    /// Runs it once.
    case sample(direct: Bool)
    /// Returns the summary and releases the scenario.
    case finish(direct: Bool)
    /// Counts the allocations of an event, in a scenario created and warmed up for that.
    case countAllocations(scenario: String, direct: Bool, settings: Settings)
}

/// An answer of a worker: one line of JSON for each request, and one after the start.
enum WorkerResponse: Codable, Equatable {
    /// The worker has started. It is this build.
    case ready(build: String)
    /// The scenario is open, and a run has so many events. An older worker doesn't say how many.
    case opened(events: Int? = nil)
    case sampled(Sample)
    case finished(Summary)
    case counted(AllocationsPerEvent?)
    /// A check failed, or the scenario could not be created.
    case failed(String)
}
