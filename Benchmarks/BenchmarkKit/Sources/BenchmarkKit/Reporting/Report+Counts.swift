extension Report {
    /// This timed run with the counts of a counted run of the same toolchain: one report with times, ratios and counts.
    ///
    /// - Throws: ``UsageError`` if this run wasn't timed, the other one wasn't counted, or the toolchains differ.
    public func withCounts(of counted: Report) throws -> Report {
        guard !isCounted, counted.isCounted else {
            throw UsageError("--counts takes a file of --mode counts and adds it to a timed run")
        }
        guard host.swift == counted.host.swift, host.architecture == counted.host.architecture else {
            throw UsageError("the toolchains differ: counts with \(counted.host.swift), times with \(host.swift)")
        }
        var merged = self
        for (index, scenario) in scenarios.enumerated() {
            guard let counts = counted.scenarios.first(where: { $0.name == scenario.name }) else { continue }
            for (build, figures) in counts.builds {
                merged.scenarios[index].builds[build]?.addCounts(of: figures)
            }
        }
        return merged
    }
}

extension BuildReport {
    fileprivate mutating func addCounts(of counted: BuildReport) {
        instructionsPerEvent = counted.instructionsPerEvent ?? instructionsPerEvent
        lockedInstructionsPerEvent = counted.lockedInstructionsPerEvent ?? lockedInstructionsPerEvent
        allocationsPerEvent = counted.allocationsPerEvent ?? allocationsPerEvent
        bytesPerEvent = counted.bytesPerEvent ?? bytesPerEvent
        systemCallsPerEvent = counted.systemCallsPerEvent ?? systemCallsPerEvent
        retainsPerEvent = counted.retainsPerEvent ?? retainsPerEvent
        releasesPerEvent = counted.releasesPerEvent ?? releasesPerEvent
    }
}
