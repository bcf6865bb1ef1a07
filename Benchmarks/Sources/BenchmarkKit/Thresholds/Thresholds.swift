import Foundation

/// The counts that a toolchain is known to give: what a change is held against.
///
/// They are two-sided. More is a regression; less is to be written down, so that it isn't lost again.
public struct Thresholds: Codable, Equatable, Sendable {
    /// What one build of one scenario takes for an event.
    public struct Counts: Codable, Equatable, Sendable {
        public var instructions: Double?
        public var allocations: Double?
        public var bytes: Double?
        public var systemCalls: Double?
        public var retains: Double?
        public var releases: Double?

        public init(of report: BuildReport) {
            instructions = report.instructionsPerEvent.map(Self.rounded)
            allocations = report.allocationsPerEvent.map(Self.rounded)
            bytes = report.bytesPerEvent.map(Self.rounded)
            systemCalls = report.systemCallsPerEvent.map(Self.rounded)
            retains = report.retainsPerEvent.map(Self.rounded)
            releases = report.releasesPerEvent.map(Self.rounded)
        }

        private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    }

    public var schema = 1
    /// The toolchain that the counts are of: they hold for no other one.
    public var swift: String
    public var architecture: String
    /// How far off a count of instructions or bytes may be, in per cent, in either direction.
    public var tolerancePercent: Double
    /// By scenario, then by build.
    public var scenarios: [String: [String: Counts]]

    public static let defaultTolerancePercent = 1.0

    /// The counts of `report`, without `direct`, which is no business of the library.
    public init(of report: Report, tolerancePercent: Double = Thresholds.defaultTolerancePercent) {
        swift = report.host.swift
        architecture = report.host.architecture ?? Host.architecture
        self.tolerancePercent = tolerancePercent
        scenarios = [:]
        for scenario in report.scenarios {
            for (build, figures) in scenario.builds where build != "direct" {
                scenarios[scenario.name, default: [:]][build] = Counts(of: figures)
            }
        }
    }

    /// The name of the file with the thresholds of a toolchain.
    public static func fileName(swift: String, architecture: String) -> String {
        "swift-\(swift)-\(architecture).json"
    }

    /// The file's text: keys in order, a count a line.
    public func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// These thresholds where `measured` keeps to them, and what was measured where it doesn't: what is to be
    /// committed. They are equal if nothing is to be done.
    ///
    /// - Parameter builds: The builds that were measured; of others nothing can be said.
    public func updated(to measured: Thresholds) -> Thresholds {
        var updated = self
        let builds = Set(measured.scenarios.values.flatMap(\.keys))
        var scenarios: [String: [String: Counts]] = [:]
        for (name, counts) in measured.scenarios {
            for (build, figures) in counts {
                let known = self.scenarios[name]?[build]
                let isKept = known.map { keeps($0, figures) } ?? false
                scenarios[name, default: [:]][build] = isKept ? known : figures
            }
        }
        // A build that wasn't measured keeps its thresholds.
        for (name, counts) in self.scenarios {
            for (build, figures) in counts where !builds.contains(build) {
                scenarios[name, default: [:]][build] = figures
            }
        }
        updated.scenarios = scenarios
        return updated
    }

    private func keeps(_ known: Counts, _ measured: Counts) -> Bool {
        func isNear(_ known: Double?, _ measured: Double?, _ tolerance: Double, floor: Double = 0.002) -> Bool {
            guard let known, let measured else { return (known == nil) == (measured == nil) }
            return abs(measured - known) <= tolerance * known + floor
        }
        // A fraction is what many events have in common, as the growth of a table: when that happens is a matter of chance.
        func isShared(_ count: Double?) -> Bool { count.map { $0 != $0.rounded() } ?? false }
        let tolerance = tolerancePercent / 100
        func isNearlySame(_ known: Double?, _ measured: Double?) -> Bool {
            // One in a hundred events is nobody's.
            isNear(known, measured, isShared(known) || isShared(measured) ? tolerance : 0, floor: 0.01)
        }
        // The allocator gives memory back when it sees fit: once in millions of instructions.
        let rareCalls = max(0.002, (known.instructions ?? 0) / 1e7)
        return isNear(known.instructions, measured.instructions, tolerance)
            && isNear(known.bytes, measured.bytes, tolerance, floor: 1)
            && isNearlySame(known.allocations, measured.allocations)
            && isNear(known.systemCalls, measured.systemCalls, 0, floor: rareCalls)
            && isNearlySame(known.retains, measured.retains) && isNearlySame(known.releases, measured.releases)
    }
}
