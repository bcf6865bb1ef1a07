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

    /// The fault that the target has on purpose, from `CORINTH_SEEDED_FAULT`; nil if it has none. The fuzzer must find it;
    /// otherwise a clean run would prove nothing.
    static let seededFault = ProcessInfo.processInfo.environment["CORINTH_SEEDED_FAULT"]

    /// The names of the faults that this target can have: at least one for each kind of judgement. The fuzzer must find the
    /// first one by itself, and the others among the inputs that it has.
    var faults: [String] {
        switch self {
        case .graphs: GraphFault.allCases.map(\.rawValue)
        case .log: ["client", "readers", "problem", "late"]
        case .format: ["quotedTime", "size"]
        case .json: ["disturbed", "again", "error"]
        }
    }

    /// Faults of memory that any target can have, for address sanitizer.
    static let memoryFaults = ["use", "leak"]

    /// Reads freed memory, or leaks some, if that is the seeded fault.
    static func misuseMemory() {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1_000)
        unsafe memory.initialize(repeating: 1, count: 1_000)
        if seededFault == "leak" { return }
        unsafe memory.deallocate()
        if seededFault == "use" { unsafe expect(memory.pointee > 0, "freed memory isn't positive") }
    }

    /// Whether the target has this fault.
    static func has(_ fault: String) -> Bool {
        assert(chosen.faults.contains(fault), "\(chosen) can't have the fault '\(fault)'")
        return seededFault == fault
    }

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

/// Called once, before the first input. With `CORINTH_FUZZ_FAULTS`, prints the names of the target's faults and ends.
@_cdecl("corinth_fuzz_prepare")
public func prepare() {
    let target = FuzzTarget.chosen
    if ProcessInfo.processInfo.environment["CORINTH_FUZZ_FAULTS"] != nil {
        print(target.faults.joined(separator: "\n"))
        exit(0)
    }
    if let fault = FuzzTarget.seededFault, FuzzTarget.memoryFaults.contains(fault) {
        FuzzTarget.misuseMemory()
    } else if let fault = FuzzTarget.seededFault, !target.faults.contains(fault) {
        FileHandle.standardError.write(Data("CORINTH_SEEDED_FAULT is '\(fault)', which \(target) can't have\n".utf8))
        exit(2)
    }
}

/// Called for each input.
@_cdecl("corinth_fuzz")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    FuzzTarget.chosen.run(unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count)))
}
