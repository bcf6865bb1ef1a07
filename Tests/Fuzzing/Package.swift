// swift-tools-version: 6.2
import PackageDescription

/// The checks that every target has.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// The targets of the fuzzer. `Tests/fuzz` builds them with the instruments for coverage; without them, this package doesn't
/// link.
let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "corinth", path: "../.."),
        .package(name: "corinth-benchmarks", path: "../../Benchmarks"),
    ],
    targets: [
        // It has links to the tests' Shared, to the Model of the differential test of graphs, and to two files.
        .target(
            name: "FuzzTargets",
            dependencies: [
                .product(name: "AccessLog", package: "corinth-benchmarks"),
                .product(name: "BenchmarkKit", package: "corinth"),
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthTesting", package: "corinth"),
            ],
            swiftSettings: settings),
        // In C, because its main function is that of the fuzzer.
        .executableTarget(name: "Fuzz", dependencies: ["FuzzTargets"]),
    ]
)
