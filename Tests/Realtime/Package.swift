// swift-tools-version: 6.2
import PackageDescription

/// The proof of law X1 under RealtimeSanitizer. `Tests/run` links the sanitizer's runtime; without it, this package doesn't
/// link.
let package = Package(
    name: "realtime",
    dependencies: [.package(name: "corinth", path: "../..")],
    targets: [
        .target(name: "CRealtime"),
        // It has links to the tests' Shared, to the laws' registry of operators, and to one file.
        .executableTarget(
            name: "Realtime",
            dependencies: [
                "CRealtime", .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthServices", package: "corinth"),
                .product(name: "CorinthTesting", package: "corinth"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]),
    ]
)
