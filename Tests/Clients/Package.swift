// swift-tools-version: 6.2
import PackageDescription

/// Client programs that use Corinth as users do. Those in Swift 5 mode are as code for ReactiveSwift is, and enable the trait for it;
/// it holds for a whole package, so that in Swift 6 mode, with the compiler's checks, isn't built together with them.
let isOld = Context.environment["CORINTH_CLIENTS"] == "old"

let old: [Target] = [
    .executableTarget(
        name: "Swift5Client",
        dependencies: [.product(name: "Corinth", package: "corinth")],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .executableTarget(
        name: "DropInClient",
        dependencies: [.product(name: "ReactiveSwift", package: "corinth")],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
]

/// A client in Swift 6 mode of these products.
func client(_ name: String, of products: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: products.map { .product(name: $0, package: "corinth") },
        swiftSettings: [.swiftLanguageMode(.v6), .strictMemorySafety(), .treatAllWarnings(as: .error)])
}

let new = [
    client("Swift6Client", of: ["Corinth", "CorinthFoundation", "CorinthTesting"]),
    client("ProductsClient", of: ["Corinth", "CorinthTesting", "CorinthNATS", "CorinthNATSTesting", "BenchmarkKit"]),
]

let package = Package(
    name: "clients",
    dependencies: [.package(name: "corinth", path: "../..", traits: isOld ? ["Preconcurrency"] : [])],
    targets: isOld ? old : new)
