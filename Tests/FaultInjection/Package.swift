// swift-tools-version: 6.2
import PackageDescription

/// What happens to streams if threads stop, memory runs out, or clocks jump. `Tests/faults` builds and runs this.
let package = Package(
    name: "fault-injection",
    traits: [.trait(name: "NaiveLocks", description: "Try Corinth's lock-based build.")],
    dependencies: [
        .package(
            name: "corinth", path: "../..",
            traits: [.trait(name: "NaiveLocks", condition: .when(traits: ["NaiveLocks"]))])
    ],
    targets: [
        .target(name: "CFaults"),
        .executableTarget(
            name: "Faults",
            dependencies: ["CFaults", .product(name: "Corinth", package: "corinth")],
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]),
    ]
)
