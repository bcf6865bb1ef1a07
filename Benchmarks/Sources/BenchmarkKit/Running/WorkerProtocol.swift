/// What the driver asks of a worker: one line of JSON each.
enum WorkerRequest: Codable, Equatable {
    /// Makes the scenario and warms it up; `singly` leaves out the warming.
    case open(scenario: String, direct: Bool, settings: Settings, singly: Bool)
    /// Runs it once.
    case sample(direct: Bool)
    /// Tells what is left to tell and lets go of it.
    case finish(direct: Bool)
    /// Counts the allocations of an event, in a scenario made and warmed for that.
    case countAllocations(scenario: String, direct: Bool, settings: Settings)
}

/// What a worker answers: one line of JSON for each request, and one when it has started.
enum WorkerResponse: Codable, Equatable {
    /// The worker has started and is of this build.
    case ready(build: String)
    case opened
    case sampled(Sample)
    case finished(Summary)
    case counted(AllocationsPerEvent?)
    /// A check failed, or the scenario could not be made.
    case failed(String)
}

/// The sides of a comparison.
public enum Build: String, CaseIterable, Sendable {
    /// The same work without the library.
    case direct
    case lockfree
    case naive
    /// The lock-free build of another checkout, which this one is held against.
    case earlier

    /// The three sides that every run has.
    public static var allCases: [Build] { [.direct, .lockfree, .naive] }
}
