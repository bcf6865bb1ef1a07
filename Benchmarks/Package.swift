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

/// A package of its own, so that who depends on Corinth never sees jemalloc.
let package = Package(
    name: "corinth-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "corinth-bench", targets: ["corinth-bench"]),
        .library(name: "BenchmarkKit", targets: ["BenchmarkKit"]),
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
            name: "CBenchmarkSupport",
            linkerSettings: [.linkedLibrary("jemalloc")]
        ),
        .target(
            name: "BenchmarkKit",
            dependencies: ["CBenchmarkSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "AccessLog",
            dependencies: ["BenchmarkKit"],
            swiftSettings: settings
        ),
        .target(
            name: "Scenarios",
            dependencies: [
                "AccessLog",
                "BenchmarkKit",
                .product(name: "Corinth", package: "corinth"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "corinth-bench",
            dependencies: ["AccessLog", "BenchmarkKit", "Scenarios"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "own-graph-bench",
            dependencies: ["BenchmarkKit", .product(name: "Corinth", package: "corinth")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BenchmarkKitTests",
            dependencies: ["AccessLog", "BenchmarkKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: ["AccessLog", "BenchmarkKit", "Scenarios", "corinth-bench", "own-graph-bench"],
            swiftSettings: settings
        ),
    ]
)
