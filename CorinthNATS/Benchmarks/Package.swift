// swift-tools-version: 6.2
import PackageDescription

/// Compares CorinthNATS with a plain C program on libnats. `run` builds and runs both.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "corinth", path: "../.."),
        .package(name: "corinth-nats", path: ".."),
    ],
    targets: [
        .executableTarget(name: "Direct", linkerSettings: [.linkedLibrary("nats")]),
        .executableTarget(
            name: "Streams",
            dependencies: [
                .product(name: "CorinthNATS", package: "corinth-nats"),
                .product(name: "Corinth", package: "corinth"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety()]),
    ]
)
