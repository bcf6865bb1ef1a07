// swift-tools-version: 6.2
import PackageDescription

/// The language mode and the checks that every Swift target is built with.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    // Every pointer operation is marked, so that a reader finds the dangerous lines by searching for one word.
    .strictMemorySafety(),
    // Imports don't leak: a file that uses Dispatch says so, and the public interface names what it needs.
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // `any` is written out, so that the cost of an existential on a value's path can be seen.
    .enableUpcomingFeature("ExistentialAny"),
]

/// Building every test takes longer than running all of them. `Tests/run` asks for fewer than all where that is so. The optimised
/// build has the tests of the core; the one on mutexes and the one under thread sanitizer have those of all that threads share. The
/// laws, and what looks at one operator at a time, run in the debug build, and in the others with `--deep`. `Tests/soak graphs` needs
/// the operators' registry, which is among the laws. Explorations are optimised without the other tests. Whatever is set, the
/// recorded facts are left out, too, and those of CorinthServices and CorinthC; under sanitizers it is `all`, which leaves out the
/// facts alone, because one thread finds them out.
let testsLeftOut: [String] =
    switch Context.environment["CORINTH_TESTS"] {
    case "core":
        [
            "Disposables", "Events", "Explorations", "Flattening", "Graphs", "Interop", "Laws", "Operators", "Producer",
            "Properties", "Schedulers", "Tasks", "Testing",
        ]
    case "concurrent":
        [
            "Events", "Explorations", "Graphs", "Growth", "Interop", "Laws", "Operators", "Properties", "Testing",
        ]
    case "graphs": ["Explorations", "Interop", "Operators", "Properties", "Schedulers", "Testing"]
    case "explorations":
        [
            "Atomics", "Disposables", "Engine", "Events", "Flattening", "Graphs", "Growth", "Interop", "Laws",
            "Linearizability", "Operators", "Producer", "Properties", "Schedulers", "Service", "Signal", "Stress",
            "Tasks", "Testing",
        ]
    default: []
    }

/// The tests of CorinthServices, which build in seconds. The laws of its operators are among those of all.
let services: Target = .testTarget(
    name: "CorinthServicesTests", dependencies: ["Corinth", "CorinthServices", "CorinthTesting"],
    swiftSettings: settings)

/// What C and Swift make of each other's streams. `Tests/c` has the tests in C.
let bridge: Target = .testTarget(
    name: "CorinthCTests", dependencies: ["Corinth", "CorinthC", "CorinthTesting"],
    path: "CorinthC/Tests/CorinthCTests", swiftSettings: settings)

/// What ReactiveSwift does, recorded, and the programs that did it. They are written as its users write theirs, so in the Swift 5
/// mode.
let facts: Target = .testTarget(
    name: "ReactiveSwiftFacts",
    dependencies: ["ReactiveSwift"],
    exclude: ["README.md", "Facts", "Differences"],
    swiftSettings: [.swiftLanguageMode(.v5)])

let otherTests: [Target] =
    switch Context.environment["CORINTH_TESTS"] {
    case nil: [services, bridge, facts]
    case "all": [services, bridge]
    default: []
    }

let package = Package(
    name: "corinth",
    products: [
        .library(name: "Corinth", targets: ["Corinth"]),
        // `NotificationCenter` and `URLSession`, for which a program needs all of Foundation.
        .library(name: "CorinthFoundation", targets: ["CorinthFoundation"]),
        .library(name: "CorinthTesting", targets: ["CorinthTesting"]),
        // What services are made of: limits, breakers, priorities, bytes.
        .library(name: "CorinthServices", targets: ["CorinthServices"]),
        // Streams over NATS, with the trait of that name.
        .library(name: "CorinthNATS", targets: ["CorinthNATS"]),
        // Starts servers for the tests of those who use it.
        .library(name: "CorinthNATSTesting", targets: ["CorinthNATSTesting"]),
        // The streams for C, and for Swift code that shares them with C code. `CorinthC/install` installs it for programs in C.
        // Static, so that all that it needs is in one file.
        .library(name: "CorinthC", type: .static, targets: ["CorinthC"]),
        // What the benchmarks are made with, for those of others.
        .library(name: "BenchmarkKit", targets: ["BenchmarkKit"]),
        // For programs that were written for ReactiveSwift, and go on to say `import ReactiveSwift`.
        .library(name: "ReactiveSwift", targets: ["ReactiveSwift"]),
    ],
    traits: [
        .trait(
            name: "NaiveLocks",
            description: "Builds the concurrency primitives on mutexes, as a base line to measure against."),
        .trait(
            name: "Exploration",
            description: "Lets a test put a controlled scheduler in place of the hardware's atomics."),
        .trait(
            name: "Preconcurrency",
            description: "Lets closures capture what isn't Sendable, as code written for ReactiveSwift does."),
        .trait(
            name: "NATS",
            description: "Builds what is in the product CorinthNATS, for which libnats must be installed."),
        .trait(
            name: "UntestedCompiler",
            description: "Builds with another compiler than Swift 6.3, the only one that is tested."),
    ],
    targets: [
        .target(name: "CCorinth"),
        .target(name: "CorinthEssentials", swiftSettings: settings),
        .target(name: "Corinth", dependencies: ["CCorinth", "CorinthEssentials"], swiftSettings: settings),
        .target(name: "CorinthFoundation", dependencies: ["Corinth"], swiftSettings: settings),
        .target(name: "CorinthServices", dependencies: ["CCorinth", "Corinth"], swiftSettings: settings),
        .target(name: "CorinthTesting", dependencies: ["Corinth"], swiftSettings: settings),
        .target(name: "CReactiveSwift", dependencies: ["CCorinth"]),
        .target(
            name: "ReactiveSwift", dependencies: ["CReactiveSwift", "Corinth", "CorinthFoundation", "CorinthTesting"],
            swiftSettings: settings),
        // Without pkg-config, which would warn where libnats isn't installed.
        .systemLibrary(name: "CNATS", path: "CorinthNATS/Sources/CNATS"),
        .target(
            name: "CorinthNATS",
            dependencies: [.target(name: "CNATS", condition: .when(traits: ["NATS"])), "Corinth", "CCorinth"],
            path: "CorinthNATS/Sources/CorinthNATS", swiftSettings: settings),
        .target(
            name: "CorinthNATSTesting", path: "CorinthNATS/Sources/CorinthNATSTesting", swiftSettings: settings),
        .target(name: "CCorinthC", path: "CorinthC/Sources/CCorinthC"),
        .target(
            name: "CorinthC", dependencies: ["CCorinth", "CCorinthC", "Corinth", "CorinthEssentials"],
            path: "CorinthC/Sources/CorinthC", swiftSettings: settings),
        .target(name: "CBenchmarkSupport", path: "Benchmarks/BenchmarkKit/Sources/CBenchmarkSupport"),
        .target(
            name: "BenchmarkKit", dependencies: ["CBenchmarkSupport"],
            path: "Benchmarks/BenchmarkKit/Sources/BenchmarkKit", swiftSettings: settings),
        .target(
            name: "CTestSupport", dependencies: ["CCorinth"], path: "Tests/CTestSupport",
            cSettings: [
                .define("EXPLORATION", .when(traits: ["Exploration"])),
                .define("NAIVE_LOCKS", .when(traits: ["NaiveLocks"])),
            ]),
        .executableTarget(
            name: "GrowthProbe", dependencies: ["Corinth", "CorinthTesting"], path: "Tests/Growth",
            swiftSettings: settings),
        .testTarget(
            name: "CorinthTests",
            dependencies: [
                "Corinth", "CorinthFoundation", "CorinthServices", "CorinthTesting", "CCorinth", "CTestSupport",
            ]
                + (testsLeftOut.contains("Growth") ? [] : ["GrowthProbe"]),
            exclude: testsLeftOut,
            swiftSettings: settings),
    ] + otherTests
)
