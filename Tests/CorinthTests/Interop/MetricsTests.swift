import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

#if !Exploration
    /// In a debug build the inspector is on from the beginning; other tests make objects meanwhile.
    @Suite(.serialized)
    final class MetricsTests {
        private let wasOn = Inspector.isOn

        init() { Inspector.start() }

        // Other tests count what is allocated.
        deinit { if !wasOn { Inspector.stop() } }

        /// The figures of streams and hops of a name, or of the process.
        private func values(of name: String?, in snapshot: Inspector.Snapshot) -> [String: Double] {
            let found = snapshot.metrics.filter { $0.labels["name"] == name }.map { ($0.name, $0.value) }
            return Dictionary(found) { first, _ in
                Issue.record("\(first) has the name \(name ?? "of the process") twice")
                return first
            }
        }

        #if !NaiveLocks
            @Test func `Hops of one name are one, and the fullest one tells how full they are`() async {
                let queue = DispatchQueue(label: "metrics")
                queue.suspend()
                var inputs: [Signal<Int, Never>.Observer] = []
                let disposables = CompositeDisposable()
                for capacity in [10, 100] {
                    let (output, input) = Signal<Int, Never>.pipe()
                    inputs.append(input)
                    disposables +=
                        output.observe(
                            on: QueueScheduler(queue: queue, name: "counted"),
                            bufferingPolicy: .blocking(capacity: capacity, stallTimeout: .never)
                        )
                        .observeValues { _ in }
                    for number in 0..<8 { input.send(value: number) }
                }
                let full = values(of: "counted", in: Inspector.snapshot())
                #expect(full["corinth_buffers"] == 2 && full["corinth_buffer_depth"] == 16)
                #expect(full["corinth_buffer_fill_ratio"] == 0.8 && full["corinth_buffer_waiting"] == 0)
                #expect(full["corinth_hop_delivered"] == 0 && full["corinth_hops_stopped"] == 0)
                queue.resume()
                queue.sync {}
                #expect(
                    await Stress.eventually {
                        let empty = values(of: "counted", in: Inspector.snapshot())
                        return empty["corinth_buffer_depth"] == 0 && empty["corinth_hop_delivered"] == 16
                    })
                disposables.dispose()
            }
        #endif

        @Test func `The process has the number of starts and observations, and counts that don't fall`() {
            let before = values(of: nil, in: Inspector.snapshot())
            let starts = (0..<1_000).map { _ in SignalProducer<Int, Never>.never.start() }
            let (output, input) = Signal<Int, Never>.pipe()
            let observations = (0..<1_000).map { _ in output.observeValues { _ in } }
            let now = values(of: nil, in: Inspector.snapshot())
            // Other tests end some of theirs.
            for name in ["corinth_starts", "corinth_observations"] {
                #expect(now[name, default: 0] - before[name, default: 0] > 500)
            }
            for metric in Inspector.snapshot().metrics where metric.kind == .counter {
                #expect(metric.labels.isEmpty && metric.value >= now[metric.name, default: .infinity])
            }
            for start in starts { start.dispose() }
            for observation in observations { observation?.dispose() }
            withExtendedLifetime(input) {}
        }

        @Test func `However many streams and names there are, the number of figures has a bound`() throws {
            var inputs: [Signal<Int8, Never>.Observer] = []
            for number in 0..<500 {
                let (output, input) = Signal<Int8, Never>.pipe()
                output.named("dynamic \(number)")
                inputs.append(input)
            }
            let snapshot = Inspector.snapshot()
            let count = snapshot.metrics.count { $0.name == "corinth_buffers" && $0.labels["kind"] == "stream" }
            #expect(count == 201)
            #expect(try #require(values(of: "others", in: snapshot)["corinth_buffers"]) >= 300)
            #expect(snapshot.metrics.count <= 5 + 8 * 402)
            // Streams without a name are one for each type, wherever they are.
            let unnamed = (0..<5).map { _ in Signal<[Int16], Never>.pipe() }
            let names = Set(Inspector.snapshot().metrics.compactMap { $0.labels["name"] })
            #expect(names.contains("Signal<Array<Int16>, Never>") || names.contains("others"))
            #expect(names.allSatisfy { !$0.contains("0x") })
            withExtendedLifetime((inputs, unnamed)) {}
        }

        @Test func `Its text is that of Prometheus`() throws {
            let (output, input) = Signal<Int32, Never>.pipe()
            let name = "a \"quote\", a \\, a\nline, é"
            output.named(name)
            let snapshot = Inspector.snapshot()
            let families = try PrometheusText(snapshot.prometheusText).families
            let metrics = snapshot.metrics
            #expect(families.flatMap(\.samples).count == metrics.count)
            for family in families {
                let expected = metrics.filter { $0.name == family.name }
                #expect(family.type == expected.first?.kind.rawValue && family.help == expected.first?.help)
                #expect(family.samples.map(\.labels) == expected.map(\.labels))
                #expect(family.samples.map(\.value) == expected.map(\.value))
                #expect((family.type == "counter") == family.name.hasSuffix("_total"))
            }
            #expect(families.contains { $0.samples.contains { $0.labels == ["kind": "stream", "name": name] } })
            withExtendedLifetime(input) {}
        }

        @Test func `The parser is strict`() {
            let head = "# HELP a b\n# TYPE a gauge\n"
            for wrong in [
                "a 1\n", head + "a 1", head + "a{b=\"c} 1\n", head + "a{b=\"\\c\"} 1\n", head + "a{b=c} 1\n",
                head + "a x\n",
                head + "a 1\na 1\n", head + "a{2=\"c\"} 1\n", "# TYPE a gauge\na 1\n", head + head + "a 1\n",
                "# HELP a b\n# TYPE a gouge\na 1\n", head, head + "a 1\n\n",
            ] {
                #expect(throws: PrometheusText.Fault.self, "\(wrong)") { try PrometheusText(wrong) }
            }
            #expect(throws: Never.self) { try PrometheusText(head + "a{b=\"\\\"\\\\\\n\",c=\"\"} 1.5e+10\n") }
        }

        @Test func `An export records all figures again and again, and what has ended as 0`() throws {
            final class Recorder: Inspector.MetricsRecorder {
                let recorded = Atomic<[Inspector.Metric]>([])
                func record(_ metric: Inspector.Metric) { recorded.modify { $0.append(metric) } }

                /// The values of the streams with a name, since the last call.
                func take(_ name: String) -> [Double] {
                    recorded.swap([]).filter { $0.name == "corinth_buffers" && $0.labels["name"] == name }.map(\.value)
                }
            }
            let (recorder, scheduler) = (Recorder(), TestScheduler())
            let export = Inspector.export(to: recorder, every: .seconds(10), on: scheduler)
            do {
                let (output, input) = Signal<Int, Never>.pipe()
                output.named("exported")
                scheduler.advance(by: .seconds(9))
                #expect(recorder.recorded.value.isEmpty)
                scheduler.advance(by: .seconds(11))
                #expect(recorder.take("exported") == [1, 1])
                withExtendedLifetime(input) {}
            }
            scheduler.advance(by: .seconds(30))
            #expect(recorder.take("exported") == [0])
            export.dispose()
            scheduler.advance(by: .seconds(30))
            #expect(recorder.recorded.value.isEmpty)
        }
    }

    /// The text format 0.0.4 of Prometheus, as its description says, without the parts that nobody writes here: timestamps, and
    /// histograms. What isn't allowed is a fault.
    private struct PrometheusText {
        struct Fault: Error { let line: String }

        struct Sample {
            var labels: [String: String] = [:]
            var value = 0.0
        }

        struct Family {
            let name: String
            let help: String
            var type = ""
            var samples: [Sample] = []
        }

        private(set) var families: [Family] = []

        init(_ text: String) throws {
            guard text.utf8.last == UInt8(ascii: "\n") else { throw Fault(line: text) }
            for line in text.unicodeScalars.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
                try add(String(line))
            }
            for family in families where family.samples.isEmpty || family.type.isEmpty {
                throw Fault(line: family.name)
            }
        }

        private mutating func add(_ line: String) throws {
            let fault = Fault(line: line)
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            if line.hasPrefix("#") {
                guard words.count == 4, !words[3].isEmpty, Self.isName(words[2], colon: true) else { throw fault }
                if words[1] == "HELP" {
                    if families.contains(where: { $0.name == words[2] }) { throw fault }
                    families.append(Family(name: words[2], help: try Self.unescaped(words[3], quotes: false, fault)))
                    return
                }
                guard words[1] == "TYPE", let last = families.last, last.name == words[2], last.type.isEmpty,
                    ["counter", "gauge"].contains(words[3])
                else { throw fault }
                families[families.count - 1].type = words[3]
                return
            }
            var rest = Substring(line)
            let name = rest.prefix { $0 != "{" && $0 != " " }
            rest = rest.dropFirst(name.count)
            guard let last = families.last, last.name == name, !last.type.isEmpty else { throw fault }
            var sample = Sample()
            if rest.first == "{" {
                rest = rest.dropFirst()
                while rest.first != "}" {
                    let label = String(rest.prefix { $0 != "=" })
                    rest = rest.dropFirst(label.count)
                    guard Self.isName(label, colon: false), rest.hasPrefix("=\""), sample.labels[label] == nil else {
                        throw fault
                    }
                    rest = rest.dropFirst(2)
                    var value = ""
                    while let character = rest.first, character != "\"" {
                        value.append(character)
                        rest = rest.dropFirst()
                        if character == "\\", let next = rest.first {
                            value.append(next)
                            rest = rest.dropFirst()
                        }
                    }
                    guard rest.first == "\"" else { throw fault }
                    rest = rest.dropFirst()
                    sample.labels[label] = try Self.unescaped(value, quotes: true, fault)
                    if rest.first == "," { rest = rest.dropFirst() } else if rest.first != "}" { throw fault }
                }
                rest = rest.dropFirst()
            }
            guard rest.first == " ", let value = Double(rest.dropFirst()) else { throw fault }
            sample.value = value
            if last.samples.contains(where: { $0.labels == sample.labels }) { throw fault }
            families[families.count - 1].samples.append(sample)
        }

        private static func isName(_ text: String, colon: Bool) -> Bool {
            let letters = text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || colon && $0 == ":")
            }
            return letters && text.first.map { !$0.isNumber } == true
        }

        private static func unescaped(_ text: String, quotes: Bool, _ fault: Fault) throws -> String {
            var result = ""
            var characters = text.makeIterator()
            while let character = characters.next() {
                guard character == "\\" else {
                    result.append(character)
                    continue
                }
                switch characters.next() {
                case "\\": result.append("\\")
                case "n": result.append("\n")
                case "\"" where quotes: result.append("\"")
                default: throw fault
                }
            }
            return result
        }
    }
#endif
