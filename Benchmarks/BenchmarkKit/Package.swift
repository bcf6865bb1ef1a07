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

/// The tests and an example of the product BenchmarkKit, which is in the package above the benchmarks.
let kit: Target.Dependency = .product(name: "BenchmarkKit", package: "corinth")

let package = Package(
    name: "BenchmarkKit",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "corinth", path: "../..")],
    targets: [
        .executableTarget(
            name: "example-bench",
            dependencies: [kit],
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("jemalloc")]
        ),
        .testTarget(
            name: "BenchmarkKitTests",
            dependencies: [kit, "example-bench"],
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary("jemalloc")]
        ),
    ]
)
