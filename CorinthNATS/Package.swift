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

/// A package of its own, so that who depends on Corinth never sees libnats.
let package = Package(
    name: "corinth-nats",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "CorinthNATS", targets: ["CorinthNATS"])
    ],
    dependencies: [
        .package(name: "corinth", path: "..")
    ],
    targets: [
        .systemLibrary(
            name: "CNATS",
            pkgConfig: "libnats",
            providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
        ),
        .target(
            name: "CorinthNATS",
            dependencies: ["CNATS", .product(name: "Corinth", package: "corinth")],
            swiftSettings: settings
        ),
        // Run by the tests.
        .executableTarget(
            name: "Totals",
            dependencies: ["CorinthNATS", .product(name: "Corinth", package: "corinth")],
            path: "Examples/Totals",
            swiftSettings: settings
        ),
        // Compared by `Benchmarks/run`, which the tests run, too.
        .executableTarget(
            name: "Direct", path: "Benchmarks/Direct", linkerSettings: [.linkedLibrary("nats")]
        ),
        .executableTarget(
            name: "Streams",
            dependencies: ["CorinthNATS", .product(name: "Corinth", package: "corinth")],
            path: "Benchmarks/Streams",
            swiftSettings: settings
        ),
        // Killed by the tests.
        .executableTarget(
            name: "TestWorker",
            dependencies: ["CorinthNATS", .product(name: "Corinth", package: "corinth")],
            path: "Tests/TestWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CorinthNATSTests",
            dependencies: [
                "CorinthNATS",
                "Direct",
                "Streams",
                "TestWorker",
                "Totals",
                .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthTesting", package: "corinth"),
            ],
            swiftSettings: settings
        ),
    ]
)
