// swift-tools-version: 6.2
import PackageDescription

/// What `Tests/mutate --self-test` changes.
let package = Package(
    name: "fixture",
    targets: [
        .target(name: "CCorinth"),
        .target(name: "Corinth", dependencies: ["CCorinth"], swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(name: "CorinthTests", dependencies: ["Corinth"], swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
