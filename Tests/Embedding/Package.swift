// swift-tools-version: 6.2
import PackageDescription

/// The smallest program with Corinth, and one with Dispatch alone: what the library brings into a process. See Tests/embedding.
let package = Package(
    name: "embedding",
    dependencies: [.package(name: "corinth", path: "../..")],
    targets: [
        .executableTarget(
            name: "hello", dependencies: [.product(name: "Corinth", package: "corinth")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "baseline", swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
