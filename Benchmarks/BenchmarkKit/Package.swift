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

let package = Package(
    name: "BenchmarkKit",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BenchmarkKit", targets: ["BenchmarkKit"])
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
        .executableTarget(
            name: "example-bench",
            dependencies: ["BenchmarkKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BenchmarkKitTests",
            dependencies: ["BenchmarkKit", "example-bench"],
            swiftSettings: settings
        ),
    ]
)
