// swift-tools-version: 6.2
import PackageDescription

/// A client of Corinth that uses everything that a program of its users uses, optimised as theirs are. `Tests/optimised` reads
/// what the compiler made of it, and runs it as an audit of reference counts.
let package = Package(
    name: "optimised",
    dependencies: [.package(name: "corinth", path: "../..")],
    targets: [
        // Links to files of Tests/CTestSupport.
        .target(name: "CAudit"),
        // It has links to the tests' Shared, to the laws' registry of operators, and to the audit, which other tests have, too.
        .executableTarget(
            name: "Audit",
            dependencies: [
                "CAudit", .product(name: "Corinth", package: "corinth"),
                .product(name: "CorinthServices", package: "corinth"),
                .product(name: "CorinthTesting", package: "corinth"),
                // For Tests/Clients, whose sources Tests/optimised compiles, too.
                .product(name: "ReactiveSwift", package: "corinth"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
