import Foundation

/// What the fuzzer tries its bytes on. A target stops the process if it finds a fault.
enum FuzzTarget: String, CaseIterable {
    case graphs, log, format, json

    /// The chosen target, from `CORINTH_FUZZ`.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["CORINTH_FUZZ"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            FileHandle.standardError.write(Data("CORINTH_FUZZ is '\(name)', but must be one of \(names)\n".utf8))
            exit(2)
        }
        return target
    }()

    /// Whether each target has a fault on purpose. The fuzzer must find it; otherwise a clean run would prove nothing.
    static let isFaulty = ProcessInfo.processInfo.environment["CORINTH_SEEDED_FAULT"] != nil

    func run(_ bytes: [UInt8]) {
        switch self {
        case .graphs: fuzzGraphs(bytes)
        case .log: fuzzLog(bytes)
        case .format: fuzzFormat(bytes)
        case .json: fuzzJSON(bytes)
        }
    }

    /// Stops the process if the condition doesn't hold.
    static func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
        if !holds { fail(message()) }
    }

    /// Stops the process. The fuzzer then writes the bytes to a file.
    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("FOUND: \(message)\n".utf8))
        abort()
    }
}

/// Called once, before the first input.
@_cdecl("corinth_fuzz_prepare")
public func prepare() { _ = FuzzTarget.chosen }

/// Called for each input.
@_cdecl("corinth_fuzz")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    FuzzTarget.chosen.run(unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count)))
}
