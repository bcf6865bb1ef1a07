import Foundation

/// The known counts of a toolchain, which the counts of a change are compared with.
///
/// They are two-sided: a higher count is a regression, and a lower count has to be recorded, so that it stays.
public struct Thresholds: Codable, Equatable, Sendable {
    /// The counts per event of one build of one scenario.
    public struct Counts: Codable, Equatable, Sendable {
        public var instructions: Double?
        public var lockedInstructions: Double?
        public var allocations: Double?
        public var bytes: Double?
        public var systemCalls: Double?
        public var retains: Double?
        public var releases: Double?

        public init(of report: BuildReport) {
            instructions = report.instructionsPerEvent.map(Self.rounded)
            lockedInstructions = report.lockedInstructionsPerEvent.map(Self.rounded)
            allocations = report.allocationsPerEvent.map(Self.rounded)
            bytes = report.bytesPerEvent.map(Self.rounded)
            systemCalls = report.systemCallsPerEvent.map(Self.rounded)
            retains = report.retainsPerEvent.map(Self.rounded)
            releases = report.releasesPerEvent.map(Self.rounded)
        }

        private static func rounded(_ value: Double) -> Double {
            let thousandths = value * 1000
            // Beyond that, each value is whole, and the product may be infinite.
            return thousandths.magnitude < 0x1p52 ? thousandths.rounded() / 1000 : value
        }
    }

    public var schema = 1
    /// The version of Swift. The counts hold for this version only.
    public var swift: String
    public var architecture: String
    /// The tolerance for instructions, bytes, and large numbers of locked instructions, in per cent, in both directions.
    public var tolerancePercent: Double
    /// By scenario, then by build.
    public var scenarios: [String: [String: Counts]]

    public static let defaultTolerancePercent = 1.0
    /// From this number per event, locked instructions have the tolerance of instructions. Fewer are compared exactly.
    public static let largeLockedCount = 1000.0

    /// The counts of the main build of `report`.
    public init(of report: Report, tolerancePercent: Double = Thresholds.defaultTolerancePercent) {
        swift = report.host.swift
        architecture = report.host.architecture ?? Host.architecture
        self.tolerancePercent = tolerancePercent
        scenarios = [:]
        for scenario in report.scenarios {
            let build = report.builds.main.rawValue
            scenarios[scenario.name] = scenario.builds[build].map { [build: Counts(of: $0)] }
        }
    }

    /// The name of the file with the thresholds of a toolchain.
    public static func fileName(swift: String, architecture: String) -> String {
        "swift-\(swift)-\(architecture).json"
    }

    /// The file's text, with sorted keys and one count per line.
    public func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    /// The thresholds to commit: the new count where `measured` is out of tolerance, the old one elsewhere. Equal to these
    /// thresholds if everything is within tolerance.
    public func updated(to measured: Thresholds) -> Thresholds {
        var updated = self
        let builds = Set(measured.scenarios.values.flatMap(\.keys))
        var scenarios: [String: [String: Counts]] = [:]
        for (name, counts) in measured.scenarios {
            for (build, figures) in counts {
                let known = self.scenarios[name]?[build]
                let isKept = known.map { isWithinTolerance($0, figures) } ?? false
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

    private func isWithinTolerance(_ known: Counts, _ measured: Counts) -> Bool {
        func isNear(_ known: Double?, _ measured: Double?, _ tolerance: Double, floor: Double = 0.002) -> Bool {
            guard let known, let measured else { return (known == nil) == (measured == nil) }
            return abs(measured - known) <= tolerance * known + floor
        }
        // A fraction is a cost that many events share, such as the growth of a table. Its time varies.
        func isShared(_ count: Double?) -> Bool { count.map { $0 != $0.rounded() } ?? false }
        let tolerance = tolerancePercent / 100
        func isNearlySame(_ known: Double?, _ measured: Double?, isInexact: Bool = false) -> Bool {
            // Less than one per hundred events is ignored.
            isNear(known, measured, isInexact || isShared(known) || isShared(measured) ? tolerance : 0, floor: 0.01)
        }
        // An event that makes thousands of objects includes locks that the allocator takes now and then.
        let isLarge = (known.lockedInstructions ?? 0) >= Self.largeLockedCount
        // The allocator returns memory to the kernel rarely: once in millions of instructions.
        let rareCalls = max(0.002, (known.instructions ?? 0) / 1e7)
        return isNear(known.instructions, measured.instructions, tolerance)
            && isNearlySame(known.lockedInstructions, measured.lockedInstructions, isInexact: isLarge)
            && isNear(known.bytes, measured.bytes, tolerance, floor: 1)
            && isNearlySame(known.allocations, measured.allocations)
            && isNear(known.systemCalls, measured.systemCalls, 0, floor: rareCalls)
            && isNearlySame(known.retains, measured.retains) && isNearlySame(known.releases, measured.releases)
    }
}
