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

/// The tests, examples and benchmarks of the product CorinthNATS, which is in the package above.
let nats: Target.Dependency = .product(name: "CorinthNATS", package: "corinth")

/// Reads the logs that the benchmarks replay.
let accessLog: Target.Dependency = .product(name: "AccessLog", package: "corinth-benchmarks")

let package = Package(
    name: "corinth-nats",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "corinth", path: "..", traits: ["NATS"]),
        .package(name: "corinth-benchmarks", path: "../Benchmarks"),
    ],
    targets: [
        // Run by the tests.
        .executableTarget(
            name: "Totals",
            dependencies: [nats, .product(name: "Corinth", package: "corinth")],
            path: "Examples/Totals",
            swiftSettings: settings
        ),
        // Compared by `Benchmarks/run`, which the tests run, too.
        .executableTarget(
            name: "Direct", path: "Benchmarks/Direct", linkerSettings: [.linkedLibrary("nats")]
        ),
        .executableTarget(
            name: "Streams",
            dependencies: [nats, .product(name: "Corinth", package: "corinth")],
            path: "Benchmarks/Streams",
            swiftSettings: settings
        ),
        // `Benchmarks/run replay --nats`, which the benchmarks don't build, as it needs libnats.
        .executableTarget(
            name: "nats-replay",
            dependencies: [
                nats,
                accessLog,
                .product(name: "BenchmarkKit", package: "corinth"),
                .product(name: "Corinth", package: "corinth"),
            ],
            path: "Replay/Sources/nats-replay",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [nats, accessLog, "nats-replay", .product(name: "Corinth", package: "corinth")],
            path: "Replay/Tests/ReplayTests",
            swiftSettings: settings
        ),
        // Killed by the tests.
        .executableTarget(
            name: "TestWorker",
            dependencies: [nats, .product(name: "Corinth", package: "corinth")],
            path: "Tests/TestWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CorinthNATSTests",
            dependencies: [
                nats,
                "Direct",
                "Streams",
                "TestWorker",
                "Totals",
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthNATSTesting", package: "corinth"),
                .product(name: "CorinthTesting", package: "corinth"),
            ],
            swiftSettings: settings
        ),
    ]
)
