// swift-tools-version: 6.2
import PackageDescription

/// The checks of the library's own targets, for the same reasons.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// The benchmark harness, a product of the package above.
let kit: Target.Dependency = .product(name: "BenchmarkKit", package: "corinth")

/// The allocator whose counters the harness reads. It replaces the system's in the programs that are linked to it. The example isn't:
/// its processes that count are started with the library.
let jemalloc: LinkerSetting = .linkedLibrary("jemalloc")

/// Corinth's benchmarks, and the tests and the example of the harness. A package of its own, so that who depends on Corinth never sees
/// jemalloc.
let package = Package(
    name: "corinth-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "corinth-bench", targets: ["corinth-bench"]),
        // For CorinthNATS/Replay.
        .library(name: "AccessLog", targets: ["AccessLog"]),
    ],
    traits: [
        .trait(name: "NaiveLocks", description: "Measure Corinth's lock-based build.")
    ],
    dependencies: [
        .package(
            name: "corinth",
            path: "..",
            traits: [.trait(name: "NaiveLocks", condition: .when(traits: ["NaiveLocks"]))]
        )
    ],
    targets: [
        .target(
            name: "AccessLog",
            dependencies: [kit],
            swiftSettings: settings
        ),
        .target(name: "CScenarioSupport"),
        .target(
            name: "Scenarios",
            dependencies: [
                "AccessLog",
                "CScenarioSupport",
                kit,
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthServices", package: "corinth"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "corinth-bench",
            dependencies: ["AccessLog", kit, "Scenarios"],
            swiftSettings: settings,
            linkerSettings: [jemalloc]
        ),
        .executableTarget(
            name: "own-graph-bench",
            dependencies: [kit, .product(name: "Corinth", package: "corinth")],
            swiftSettings: settings,
            linkerSettings: [jemalloc]
        ),
        .executableTarget(
            name: "example-bench",
            dependencies: [kit],
            path: "BenchmarkKit/Sources/example-bench",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "closure-bench",
            dependencies: [kit],
            path: "BenchmarkKit/Tests/closure-bench",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BenchmarkKitTests",
            dependencies: [kit, "closure-bench", "example-bench"],
            path: "BenchmarkKit/Tests/BenchmarkKitTests",
            swiftSettings: settings,
            linkerSettings: [jemalloc]
        ),
        .testTarget(
            name: "AccessLogTests",
            dependencies: ["AccessLog", kit],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: ["AccessLog", "CScenarioSupport", kit, "Scenarios", "corinth-bench", "own-graph-bench"],
            swiftSettings: settings,
            linkerSettings: [jemalloc]
        ),
    ]
)
