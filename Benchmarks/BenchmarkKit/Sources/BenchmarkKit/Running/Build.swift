/// A side of a comparison, identified by its name in reports.
public struct Build: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    /// The same work without the library.
    public static let direct = Build(rawValue: "direct")

    /// The main build of another checkout, which `--against` names.
    public static let earlier = Build(rawValue: "earlier")
}

/// The names of the two builds of a library that a tool compares.
///
/// The main build is the one whose counts have thresholds. Its executable also runs ``Build/direct``.
public struct BuildNames: Equatable, Sendable {
    public let main: Build
    public let alternative: Build

    /// - Parameters:
    ///   - main: The name of the build that users get.
    ///   - alternative: The name of the build that it is compared with. Without its executable, its columns are empty.
    public init(main: String = "library", alternative: String = "alternative") {
        let names = [main, alternative]
        precondition(
            main != alternative && names.allSatisfy { !["direct", "earlier", ""].contains($0) },
            "Two builds have different names, neither 'direct' nor 'earlier'; got '\(main)' and '\(alternative)'.")
        precondition(
            names.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) } },
            "A build's name has letters, digits, '-' and '_'; got '\(main)' and '\(alternative)'.")
        self.main = Build(rawValue: main)
        self.alternative = Build(rawValue: alternative)
    }

    /// `direct`, the main build and the alternative one, in the order of the reports' columns.
    public var all: [Build] { [.direct, main, alternative] }

    /// The two ratios of every report: alternative to main, main to `direct`.
    var ratios: [Ratio] { [Ratio(above: alternative, below: main), Ratio(above: main, below: .direct)] }

    /// A ratio of two builds' figures.
    struct Ratio {
        var above: Build
        var below: Build

        var name: String { "\(above)/\(below)" }
    }

    /// The class of a build in the page's style: `direct`, `main` or `alternative`.
    func role(of build: Build) -> String {
        switch build {
        case main: "main"
        case alternative: "alternative"
        default: build.rawValue
        }
    }
}
