// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]

/// Each example uses Corinth and the virtual time of CorinthTesting, so every run prints the same output without waiting.
func example(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "ExampleSupport",
            .product(name: "Corinth", package: "corinth"),
            .product(name: "CorinthServices", package: "corinth"),
            .product(name: "CorinthTesting", package: "corinth"),
        ],
        swiftSettings: settings)
}

let package = Package(
    name: "examples",
    dependencies: [.package(name: "corinth", path: "..")],
    targets: [
        .target(
            name: "ExampleSupport",
            dependencies: [.product(name: "CorinthTesting", package: "corinth")],
            swiftSettings: settings),
        example("SearchAsYouType"),
        example("RateLimitedFanOut"),
        example("ReconnectingSource"),
        example("SignUpForm"),
        example("LineServer"),
        example("MarketDataGateway"),
        example("JobScheduler"),
    ]
)
