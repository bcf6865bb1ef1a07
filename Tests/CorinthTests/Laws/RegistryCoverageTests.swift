import Foundation
import Testing

/// The laws are checked on every public operator.
struct RegistryCoverageTests {
    /// Methods that aren't operators: they make a stream, observe one, or wait for its end.
    static let exemptions: [String: Set<String>] = [
        "Signal": [
            "Event", "Observer", "init(_:)", "empty", "never", "pipe(disposable:)", "unserialized(_:)",
            "unserializedPipe(disposable:)", "reentrantUnserialized(_:)", "reentrantUnserializedPipe(disposable:)",
            "observe(_:)", "observeCompleted(_:)", "observeFailed(_:)", "observeInterrupted(_:)", "observeResult(_:)",
            "observeValues(_:)", "filterMap(_:)", "values(bufferingPolicy:statistics:)", "nextValue()",
            "observe(isolation:_:)", "observeValues(isolation:_:)", "observe(on:_:)", "observeValues(on:_:)",
        ],
        "SignalProducer": [
            "ProducedSignal", "init(_:)", "init(error:)", "init(result:)", "init(value:)", "init(values:_:_:)", "empty",
            "never", "unserialized(_:)", "interval(_:interval:on:)", "interval(_:on:)", "timer(interval:on:)",
            "timer(interval:on:leeway:)", "start(_:)", "startWithCompleted(_:)", "startWithFailed(_:)",
            "startWithInterrupted(_:)", "startWithResult(_:)", "startWithSignal(_:)", "startWithValues(_:)",
            "first()", "last()", "single()", "wait()", "filterMap(_:)", "values(bufferingPolicy:statistics:)",
            "firstValue()", "lastValue()", "singleValue()", "allValues()", "termination()", "init(awaiting:priority:)",
            "task(priority:_:)", "generator(priority:_:)", "start(isolation:_:)", "startWithValues(isolation:_:)",
            "start(on:_:)", "startWithValues(on:_:)", "tracking(on:_:)", "tracking(_:_:on:)",
        ],
    ]

    @Test func everyOperatorIsRegistered() throws {
        let list = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("api-surface.tsv")
        let rows = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t").map(String.init) }
        var covered: [String: Set<String>] = [:]
        for entry in OperatorRegistry.all {
            if entry.signal != nil { covered["Signal", default: []].insert(entry.name) }
            if entry.producer != nil { covered["SignalProducer", default: []].insert(entry.name) }
        }
        for (owner, exempt) in RegistryCoverageTests.exemptions {
            let names = Set(rows.filter { $0[0] == owner }.map { $0[1] })
            #expect(!names.isEmpty)
            let missing = names.subtracting(exempt).subtracting(covered[owner] ?? [])
            #expect(missing.isEmpty, "\(owner): no law is checked on \(missing.sorted())")
            #expect(
                exempt.isSubset(of: names), "\(owner): exempt, but not public: \(exempt.subtracting(names).sorted())")
        }
    }

    @Test func entriesAreDistinct() {
        let names = OperatorRegistry.all.map(\.testDescription)
        #expect(Set(names).count == names.count)
    }
}
