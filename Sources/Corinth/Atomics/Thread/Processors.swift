internal import CCorinth

/// The processors that this process may use.
enum Processors {
    /// How many, at its first use: at most those of the main thread's affinity, and at most the quota of the control groups around
    /// this process, rounded up. A container with a quota of 1.5 processors has 2 here, and not those of the machine.
    static let count = Int(ccorinth_processor_count())
}
