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

/// `Benchmarks/run replay --nats`. A package of its own: it needs libnats and, for the log's reader, the benchmarks.
let package = Package(
    name: "replay",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "corinth", path: "../..", traits: ["NATS"]),
        .package(name: "corinth-benchmarks", path: "../../Benchmarks"),
    ],
    targets: [
        .executableTarget(
            name: "nats-replay",
            dependencies: [
                .product(name: "AccessLog", package: "corinth-benchmarks"),
                .product(name: "BenchmarkKit", package: "corinth"),
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthNATS", package: "corinth"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "nats-replay",
                .product(name: "AccessLog", package: "corinth-benchmarks"),
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthNATS", package: "corinth"),
            ],
            swiftSettings: settings
        ),
    ]
)
