import CTestSupport
import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

#if !Exploration && !NaiveLocks
    /// In a debug build it is on from the beginning; other tests make objects meanwhile.
    @Suite(.serialized)
    final class InspectorTests {
        private let wasOn = Inspector.isOn

        init() { Inspector.start() }

        // Other tests count what is allocated.
        deinit { if !wasOn { Inspector.stop() } }

        /// The one node with a name.
        private func node(_ name: String, in snapshot: Inspector.Snapshot) throws -> Inspector.Snapshot.Node {
            let found = snapshot.nodes.filter { $0.name == name }
            try #require(found.count == 1, "\(found.count) nodes are called \(name)")
            return found[0]
        }

        @Test func `A signal has it append a snapshot to a file`() async throws {
            let path = "/tmp/corinth-test-\(getpid()).json"
            defer { unsafe unlink(path) }
            #expect(throws: Inspector.Failure.self) { try Inspector.write(on: SIGKILL, to: path) }
            #expect(throws: Inspector.Failure.self) {
                try Inspector.write(on: SIGUSR2, to: String(repeating: "x", count: 5_000))
            }
            try Inspector.write(on: SIGUSR2, to: path)
            try Inspector.write(on: SIGUSR2, to: path)
            #expect(throws: Inspector.Failure.self) { try Inspector.write(on: SIGUSR1, to: path) }
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("written")
            func lines() -> [Substring] {
                ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(
                    separator: "\n", omittingEmptySubsequences: false)
            }
            for count in 1...3 {
                kill(getpid(), SIGUSR2)
                // A newline ends each, and several requests may be answered at once.
                #expect(await Stress.eventually { lines().count == count + 1 && lines().last == "" })
                let parsed = try #require(
                    JSONSerialization.jsonObject(with: Data(lines()[count - 1].utf8)) as? [String: Any])
                let nodes = try #require(parsed["nodes"] as? [[String: Any]])
                #expect(nodes.contains { $0["name"] as? String == "written" })
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            withExtendedLifetime(input) {}
        }

        @Test func `It shows how values flow, from stream to hop to stream`() throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("numbers")
            let parsed = output.map { $0 + 1 }.observe(on: QueueScheduler(name: "parser")).named("parsed")
            let sum = Signal.merge([parsed, output]).named("merged")
            let observation = sum.observeValues { _ in }
            let snapshot = Inspector.snapshot()
            let (numbers, hop) = (try node("numbers", in: snapshot), try node("parser", in: snapshot))
            let (result, merged) = (try node("parsed", in: snapshot), try node("merged", in: snapshot))
            #expect(numbers.kind == .stream && numbers.type == "Signal<Int, Never>")
            #expect(numbers.observers == 0 && merged.observers == 1)
            #expect(hop.kind == .hop && hop.capacity == 16_384 && !hop.drops)
            let edges = [(numbers, hop), (hop, result), (result, merged), (numbers, merged)]
            for (from, to) in edges { #expect(snapshot.edges.contains(.init(from: from.id, to: to.id))) }
            // Inside a start, the strand of a hop is no stream's.
            let start = SignalProducer<Int, Never>.never.observe(on: QueueScheduler(name: "inner")).start()
            let later = Inspector.snapshot()
            let ids = Set(later.nodes.map(\.id))
            #expect(later.edges.allSatisfy { ids.contains($0.from) && ids.contains($0.to) })
            let inner = try node("inner", in: later)
            #expect(!later.edges.contains { $0.from == inner.id || $0.to == inner.id })
            start.dispose()
            let mine = Set([numbers, hop, result, merged].map(\.id))
            #expect(snapshot.edges.count { mine.contains($0.from) || mine.contains($0.to) } == edges.count)
            #expect(numbers.since <= hop.since && hop.since <= snapshot.time && !numbers.frames.isEmpty)
            withExtendedLifetime((input, observation)) {}
        }

        @Test func `It shows what is queued, who waits, and for whom`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            let second = DispatchQueue(label: "second")
            second.suspend()
            let policy = BufferingPolicy<Never>.blocking(capacity: 4, stallTimeout: .never)
            let observation =
                output
                .observe(on: QueueScheduler(name: "first"), bufferingPolicy: policy)
                .observe(on: QueueScheduler(queue: second, name: "behind"), bufferingPolicy: policy)
                .observeValues { _ in }
            let sent = Flag()
            Thread.detachNewThread {
                for number in 0..<20 { input.send(value: number) }
                sent.raise()
            }
            // The first hop has passed five values on, holds five more, and its sender waits.
            let isFull = await Stress.eventually {
                let snapshot = Inspector.snapshot()
                return snapshot.nodes.filter { ["first", "behind"].contains($0.name) && $0.waiting == 1 }.count == 2
                    && snapshot.nodes.contains { $0.name == "first" && $0.isStopped }
            }
            #expect(isFull)
            let snapshot = Inspector.snapshot()
            let (first, behind) = (try node("first", in: snapshot), try node("behind", in: snapshot))
            #expect(first.isStopped && !behind.isStopped)
            #expect(snapshot.waits.contains(.init(from: first.id, to: behind.id)))
            #expect(behind.depth == 5 && behind.waiting == 1 && behind.posted == 5 && behind.delivered == 0)
            #expect(first.depth == 5 && first.capacity == 4)
            #expect(snapshot.description.contains("hop first: 5 of 4 queued, 1 waiting, stopped"))
            second.resume()
            #expect(await Stress.eventually { sent.isRaised })
            #expect(await Stress.eventually { (try? node("behind", in: Inspector.snapshot()).delivered) == 20 })
            withExtendedLifetime(observation) {}
        }

        @Test func `It shows the schedulers, what is queued on each, and which of them runs a hop`() async throws {
            let thread = ThreadScheduler(name: "shown.thread", capacity: 8)
            let pool = QueueSchedulerPool(count: 2, name: "shown.pool")
            let executor = ExecutorScheduler(taskExecutor: globalConcurrentExecutor)
            let (output, input) = Signal<Int, Never>.pipe()
            let observations = [
                output.observe(on: pool.schedulers[1]).observeValues { _ in },
                output.observe(on: ClockScheduler(ContinuousClock(), on: thread)).observeValues { _ in },
                output.observe(on: executor).observeValues { _ in },
                output.observe(on: ImmediateScheduler()).observeValues { _ in },
            ]
            func shown(_ name: String) throws -> Inspector.Snapshot.Scheduler {
                let found = Inspector.snapshot().schedulers.filter { $0.name == name }
                try #require(found.count == 1, "\(found.count) schedulers are called \(name)")
                return found[0]
            }
            // What runs a pool's actions is the pool's.
            let members = [try shown("shown.pool.0"), try shown("shown.pool.1")]
            #expect(
                members[0].pool != nil && members[0].pool == members[1].pool && members[0].type == "PooledScheduler")
            #expect(try shown("shown.thread").capacity == 8 && !shown("shown.thread").frames.isEmpty)
            let snapshot = Inspector.snapshot()
            let hops = snapshot.nodes.filter { node in node.scheduler.map { $0 == members[1].id } == true }
            #expect(hops.map(\.name) == ["shown.pool.1"])
            let here = try shown("shown.thread").id
            #expect(snapshot.nodes.count { $0.scheduler == here } == 1)

            // The ring turns round.
            for _ in 0..<3 {
                let gate = DispatchSemaphore(value: 0)
                let isBlocked = Flag()
                thread.schedule {
                    isBlocked.raise()
                    gate.wait()
                }
                #expect(await Stress.eventually { isBlocked.isRaised })
                for count in 0...8 {
                    #expect(try shown("shown.thread").queued == count)
                    if count < 8 { thread.schedule {} }
                }
                gate.signal()
                #expect(await Stress.eventually { (try? shown("shown.thread").queued) == 0 })
            }
            for _ in 0..<5 { pool.schedulers[0].schedule {} }
            #expect(await Stress.eventually { (try? shown("shown.pool.0").executed) == 5 })
            #expect(try shown("shown.pool.0").queued == 0)
            withExtendedLifetime((observations, input)) {}
        }

        @Test func `A scheduler that was made before it was on is known by its hops`() throws {
            Inspector.stop()
            let scheduler = QueueScheduler(name: "older")
            Inspector.start()
            let (output, input) = Signal<Int, Never>.pipe()
            let observation = output.observe(on: scheduler).observeValues { _ in }
            let snapshot = Inspector.snapshot()
            let hop = try node("older", in: snapshot)
            let found = snapshot.schedulers.filter { $0.id == hop.scheduler }
            #expect(found.map(\.name) == ["older"] && found.map(\.since) == [0] && found[0].queued == nil)
            withExtendedLifetime((observation, input)) {}
        }

        @Test func `It counts the values beyond a bound`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            let queue = DispatchQueue(label: "stalls")
            queue.suspend()
            let observation =
                output
                .observe(
                    on: QueueScheduler(queue: queue, name: "stalling"),
                    bufferingPolicy: .blocking(capacity: 2, stallTimeout: .milliseconds(20))
                )
                .observeValues { _ in }
            for number in 0..<5 { input.send(value: number) }
            #expect(try node("stalling", in: Inspector.snapshot()).stalls >= 1)
            queue.resume()
            withExtendedLifetime(observation) {}
        }

        @Test(arguments: [true, false])
        func `It counts what a hop drops, and how often it asks for a turn`(dropsOldest: Bool) async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            // The other case's hop may be alive for a moment.
            let name = dropsOldest ? "dropping the oldest" : "dropping the newest"
            let queue = DispatchQueue(label: name)
            queue.suspend()
            let observation =
                output
                .observe(
                    on: QueueScheduler(queue: queue, name: name),
                    bufferingPolicy: dropsOldest ? .dropOldest(capacity: 3) : .dropNewest(capacity: 3)
                )
                .observeValues { _ in }
            for number in 0..<10 { input.send(value: number) }
            let full = try node(name, in: Inspector.snapshot())
            #expect(full.posted == 10 && full.dropped == 7 && full.delivered == 0 && full.depth == 3 && full.wakes == 1)
            queue.resume()
            #expect(await Stress.eventually { (try? node(name, in: Inspector.snapshot()).delivered) == 3 })
            input.send(value: 10)
            #expect(await Stress.eventually { (try? node(name, in: Inspector.snapshot()).delivered) == 4 })
            let empty = try node(name, in: Inspector.snapshot())
            #expect(empty.posted == 11 && empty.dropped == 7 && empty.depth == 0 && (1...2).contains(empty.wakes ?? 0))
            #expect(Inspector.snapshot().description.contains("hop \(name): 0 of 3 queued, 7 dropped"))
            withExtendedLifetime(observation) {}
        }

        @Test func `It counts how often a bias was taken back`() async throws {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named("biased")
            let observation = output.observeValues { _ in }
            func taken() throws -> Int { try node("biased", in: Inspector.snapshot()).biasesTaken }
            #expect(try taken() == 0)
            // Each thread sends enough for a bias, which the first value of the next one takes back.
            var first = 0
            for turn in 0..<4 {
                let isSent = Flag()
                Thread.detachNewThread {
                    for number in 0..<20_000 { input.send(value: number) }
                    isSent.raise()
                }
                #expect(await Stress.eventually { isSent.isRaised })
                // The first takes that of this thread back, if it got one as the only one to observe.
                if turn == 0 { first = try taken() }
                #expect(try first <= 1 && taken() == (AsymmetricBarrier.isAsymmetric ? first + turn : 0))
            }
            withExtendedLifetime(observation) {}
        }

        @Test func `A stream that was made before it was on is known by what observes it`() throws {
            Inspector.stop()
            let (output, input) = Signal<Int, Never>.pipe()
            Inspector.start()
            let id = output.core.root.stream
            #expect(!Inspector.snapshot().nodes.contains { $0.id == id })
            let observation = output.observe(on: QueueScheduler(name: "behind an older one")).observeValues { _ in }
            let other = output.observeValues { _ in }
            let snapshot = Inspector.snapshot()
            let stream = try #require(snapshot.nodes.first { $0.id == id })
            #expect(stream.kind == .stream && stream.since == 0 && stream.observers == 1 && stream.name == nil)
            #expect(snapshot.edges.contains(.init(from: id, to: try node("behind an older one", in: snapshot).id)))
            #expect(snapshot.json.contains("\"id\":\"\(String(id, radix: 16))\",\"kind\":\"stream\",\"depth\":0"))
            // An observation that is kept doesn't stand for a stream that is gone.
            input.sendCompleted()
            #expect(!Inspector.snapshot().nodes.contains { $0.id == id })
            withExtendedLifetime((observation, other)) {}
        }

        @Test func `Its JSON holds the same`() throws {
            let (output, input) = Signal<String, Never>.pipe()
            output.named("\"a\\\u{1}é\"")
            let observation = output.observeValues { _ in }
            let scheduler = QueueScheduler(name: "in JSON")
            let hop = output.observe(on: scheduler).observeValues { _ in }
            let snapshot = Inspector.snapshot()
            let parsed = try #require(JSONSerialization.jsonObject(with: Data(snapshot.json.utf8)) as? [String: Any])
            #expect(parsed["schema"] as? Int == 1 && parsed["pid"] as? Int32 == getpid())
            let nodes = try #require(parsed["nodes"] as? [[String: Any]])
            #expect(nodes.count == snapshot.nodes.count)
            let found = nodes.filter { $0["name"] as? String == "\"a\\\u{1}é\"" }
            #expect(found.count == 1 && found[0]["type"] as? String == "Signal<String, Never>")
            let stacks = try #require(parsed["stacks"] as? [[String]])
            #expect(try !stacks[#require(found[0]["made"] as? Int)].isEmpty)
            let observations = try #require(parsed["observations"] as? [[String: Any]])
            let observed = try #require(found[0]["id"] as? String)
            #expect(observations.contains { ($0["of"] as? [String])?.contains(observed) == true })
            let schedulers = try #require(parsed["schedulers"] as? [[String: Any]])
            let mine = schedulers.filter { $0["name"] as? String == "in JSON" }
            #expect(mine.count == 1 && mine[0]["type"] as? String == "QueueScheduler" && mine[0]["queued"] == nil)
            #expect(
                nodes.contains { $0["kind"] as? String == "hop" && $0["runner"] as? String == mine[0]["id"] as? String }
            )
            #if os(Linux)
                let code = try #require(parsed["maps"] as? [[String: Any]])
                #expect(code.contains { ($0["path"] as? String)?.hasPrefix("/") == true })
            #endif
            withExtendedLifetime((input, observation, hop)) {}
        }

        @Test func `Starts and observations are counted by where they were made`() {
            let (output, input) = Signal<Int, Never>.pipe()
            let disposables = CompositeDisposable()
            let before = Inspector.snapshot()
            for _ in 0..<20 { disposables += SignalProducer<Int, Never>.never.start() }
            for _ in 0..<30 { disposables += output.observeValues { _ in } }
            let now = Inspector.snapshot()
            #expect(now.starts.contains { $0.count == 20 && !$0.frames.isEmpty && $0.since >= before.time })
            let group = now.observations.filter { $0.count == 30 && $0.since >= before.time }
            #expect(group.count == 1 && Set(group[0].observed).count == 1)
            #expect(now.nodes.contains { $0.id == group[0].observed[0] && $0.observers == 30 })
            disposables.dispose()
            withExtendedLifetime(input) {}
        }

        @Test func `A name is cut, and one that comes while it is off is ignored`() {
            let (output, input) = Signal<Int, Never>.pipe()
            output.named(String(repeating: "n", count: 40))
            let names = Inspector.snapshot().nodes.compactMap(\.name)
            #expect(names.contains(String(repeating: "n", count: 31)))
            withExtendedLifetime(input) {}
        }

        @Test func `Another process reads it over a socket`() throws {
            let path = Self.path
            try Inspector.serve(at: path)
            // Once more is no error, elsewhere is one.
            try Inspector.serve(at: path)
            #expect(throws: Inspector.Failure.self) { try Inspector.serve(at: path + "2") }
            #expect(throws: Inspector.Failure.self) { try Inspector.serve(at: String(repeating: "x", count: 200)) }
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            // More than may look at once, one behind the other, and several requests on one connection.
            for _ in 0..<20 {
                let client = try #require(UnixClient(path))
                for _ in 0..<2 {
                    let line = try #require(client.ask("snapshot\n"))
                    #expect(line.hasPrefix("{\"schema\":1,") && line.hasSuffix("}\n"))
                }
            }
        }

        @Test func `Clients that ask nothing keep nobody out`() throws {
            try Inspector.serve(at: Self.path)
            let asking = try #require(UnixClient(Self.path))
            #expect(asking.ask("snapshot\n") != nil)
            var silent: [UnixClient] = []
            for _ in 0..<20 {
                silent.append(try #require(UnixClient(Self.path)))
                // It has asked later than these.
                #expect(asking.ask("snapshot\n") != nil)
            }
            #expect(silent[0].receiveAll() == "")
            #expect(silent[19].ask("snapshot\n") != nil)
        }

        /// A process can listen at one path only.
        private static var path: String { "/tmp/corinth-test-\(getpid()).sock" }

        @Test func `The socket answers HTTP with the metrics`() throws {
            try Inspector.serve(at: Self.path)
            let head = "Host: x\r\nUser-Agent: test\r\nX-Long: \(String(repeating: "x", count: 3_000))\r\n\r\n"
            for request in ["GET /metrics HTTP/1.1\r\n", "GET /metrics?a=b HTTP/1.0\r\n"] {
                // In parts, and with others that haven't said all yet.
                let (slow, other) = (try #require(UnixClient(Self.path)), try #require(UnixClient(Self.path)))
                #expect(slow.send("GE") && other.send("snap"))
                #expect(
                    slow.send(String((request + head).dropFirst(2).dropLast(2))) && slow.send("\r\n\r")
                        && slow.send("\n"))
                let response = try #require(slow.receiveAll())
                let parts = response.components(separatedBy: "\r\n\r\n")
                #expect(parts.count == 2 && parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(parts[0].contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
                #expect(parts[0].contains("\r\nContent-Length: \(parts[1].utf8.count)\r\n"))
                #expect(parts[1].contains("\ncorinth_starts ") && parts[1].hasSuffix("\n"))
                #expect(other.ask("shot\n")?.hasPrefix("{\"schema\":1,") == true)
            }
            for path in ["/", "/metricsx", "/metrics/", "/x/metrics"] {
                let client = try #require(UnixClient(Self.path))
                #expect(client.send("GET \(path) HTTP/1.1\r\n" + head))
                #expect(client.receiveAll()?.hasPrefix("HTTP/1.1 404 Not Found\r\n") == true)
            }
            let endless = try #require(UnixClient(Self.path))
            let start = "GET /metrics HTTP/1.1\r\nX: "
            #expect(endless.send(start + String(repeating: "x", count: 8_191 - start.utf8.count)))
            #expect(endless.receiveAll() == "")
        }
    }

    /// A connection to a Unix socket.
    private final class UnixClient {
        private let socket: Int32

        init?(_ path: String) {
            socket = unsafe test_connect(path)
            if socket < 0 { return nil }
        }

        deinit { close(socket) }

        func send(_ text: String) -> Bool { unsafe write(socket, text, text.utf8.count) == text.utf8.count }

        /// Everything until the other side closes; nil if the connection is lost.
        func receiveAll() -> String? {
            var answer: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe read(socket, &part, part.count)
                if count < 0 { return nil }
                if count == 0 { return String(decoding: answer, as: UTF8.self) }
                answer += part[..<count]
            }
        }

        /// Sends a line, and receives one.
        func ask(_ line: String) -> String? {
            guard send(line) else { return nil }
            var answer: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while answer.last != UInt8(ascii: "\n") {
                let count = unsafe read(socket, &part, part.count)
                if count <= 0 { return nil }
                answer += part[..<count]
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }
#endif
