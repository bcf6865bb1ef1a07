// swift-tools-version: 6.2
import PackageDescription

/// Client programs that use Corinth as users do, compiled in Swift 5 mode and in Swift 6 mode with its checks.
let package = Package(
    name: "clients",
    dependencies: [.package(name: "corinth", path: "../..")],
    targets: [
        .executableTarget(
            name: "Swift5Client",
            dependencies: [.product(name: "Corinth", package: "corinth")],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "DropInClient",
            dependencies: [.product(name: "ReactiveSwift", package: "corinth")],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "Swift6Client",
            dependencies: [
                .product(name: "Corinth", package: "corinth"), .product(name: "CorinthFoundation", package: "corinth"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)]),
    ]
)
