import Corinth
import CorinthServices
import CorinthTesting
import Foundation
import Testing

@Suite("Reading bytes", .timeLimit(.minutes(2)))
struct ReadingBytesTests {
    private typealias Bytes = SignalProducer<[UInt8], SystemError>

    private static let scheduler = QueueScheduler(name: "reading")

    /// A policy that holds its bound exactly.
    private static func bound(_ capacity: Int) -> BufferingPolicy<SystemError> {
        .blocking(capacity: capacity, stallTimeout: .never)
    }

    // MARK: What arrives

    @Test func aFileArrivesInChunksOfTheGivenSize() async throws {
        let bytes = ByteTests.noise(100_000)
        let file = try ByteFile(bytes)
        let source = Bytes.bytes(upTo: 4_096, on: Self.scheduler) { () throws(SystemError) in try file.opened(O_RDONLY)
        }
        // Each start opens the file.
        for _ in 0..<2 {
            let chunks = try #require(try await source.allValues())
            #expect(chunks.map(\.count) == [Int](repeating: 4_096, count: 24) + [100_000 - 24 * 4_096])
            #expect(Array(chunks.joined()) == bytes)
        }
    }

    @Test func whatHasNoBytesCompletes() async throws {
        let file = try ByteFile()
        for path in [file.path, "/dev/null"] {
            let source = Bytes.bytes(on: Self.scheduler) { () throws(SystemError) in
                try SystemError.check("open", unsafe open(path, O_RDONLY))
            }
            #expect(try await source.allValues() == [])
        }
    }

    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func bytesArriveAsTheyComeUntilThePeerCloses(_ make: @Sendable () -> ConnectedEnds) async {
        let ends = make()
        let recorder = EventRecorder<[UInt8], SystemError>()
        Bytes.bytes(of: ends.reading, on: Self.scheduler).start(recorder.observer)
        for number in 1...20 {
            #expect(ends.write([UInt8(number)]) == 1)
            #expect(await eventually { recorder.values.count == number })
        }
        ends.closeWriting()
        #expect(await eventually { recorder.termination != nil })
        #expect(recorder.events == (1...20).map { .value([$0]) } + [.completed])
    }

    /// Dispatch tells only once that a peer is gone, at whatever moment that is.
    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func aPeerThatClosesAtAnyMomentLosesNothing(_ make: @Sendable () -> ConnectedEnds) async throws {
        let bytes = ByteTests.noise(1_000)
        for round in 0..<100 {
            let ends = make()
            async let chunks = Bytes.bytes(of: ends.reading, upTo: 64, on: Self.scheduler).allValues()
            if round % 2 == 0 { await Task.yield() }
            for chunk in ByteTests.chunks(bytes, of: 1 + 10 * round) { await ends.writeAll(chunk) }
            ends.closeWriting()
            #expect(try await Array((chunks ?? []).joined()) == bytes)
        }
    }

    // MARK: Errors

    @Test func errorsOfTheSystemAreFailures() async throws {
        let directory = Bytes.bytes(on: Self.scheduler) { () throws(SystemError) in
            try SystemError.check("open", unsafe open("/", O_RDONLY))
        }
        await #expect(throws: SystemError("read", code: EISDIR)) { try await directory.allValues() }
        let closed = Bytes.bytes(of: -1, on: Self.scheduler)
        await #expect(throws: SystemError("fcntl", code: EBADF)) { try await closed.allValues() }

        let ends = ConnectedEnds.ofTCP()
        var lingering = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        #expect(unsafe setsockopt(ends.writing, SOL_SOCKET, SO_LINGER, &lingering, size) == 0)
        let reset = Bytes.bytes(of: ends.reading, on: Self.scheduler).on(started: { ends.closeWriting() })
        await #expect(throws: SystemError("read", code: ECONNRESET)) { try await reset.allValues() }
    }

    @Test func aFailureToOpenIsSentByTheScheduler() async {
        let scheduler = QueueScheduler(name: "opening")
        let recorder = EventRecorder<[UInt8], SystemError>()
        scheduler.queue.suspend()
        Bytes.bytes(on: scheduler) { () throws(SystemError) in throw SystemError("open", code: ENOENT) }
            .start(recorder.observer)
        #expect(recorder.events.isEmpty)
        scheduler.queue.resume()
        #expect(await eventually { recorder.termination == .failed(SystemError("open", code: ENOENT)) })
    }

    @Test func aChunkHasAtLeastOneByte() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer.bytes(of: 0, upTo: 0, on: QueueScheduler(name: "never"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("chunk is 0, but must be at least 1"))
    }

    // MARK: Who closes what

    @Test func aStartHasADescriptorOfItsOwn() async {
        let ends = ConnectedEnds.ofSocketPair()
        let recorder = EventRecorder<[UInt8], SystemError>()
        let start = Bytes.bytes(of: ends.reading, on: Self.scheduler).start(recorder.observer)
        ends.closeReading()
        #expect(ends.write([1]) == 1)
        #expect(await eventually { recorder.values == [[1]] })
        #expect(!ends.hasNoReader)
        start.dispose()
        #expect(await eventually { ends.hasNoReader })
        #expect(recorder.events == [.value([1]), .interrupted])
    }

    @Test func theDescriptorOfTheCallerStaysOpen() async throws {
        let ends = ConnectedEnds.ofSocketPair()
        Bytes.bytes(of: ends.reading, on: Self.scheduler).start().dispose()
        #expect(ends.write([1]) == 1)
        #expect(try await Bytes.bytes(of: ends.reading, on: Self.scheduler).firstValue() == [1])
        #expect(ends.write([2]) == 1)
        #expect(ends.read() == [2])
    }

    @Test func startsAtTheSameTimeShareTheBytes() async {
        let ends = ConnectedEnds.ofSocketPair()
        let source = Bytes.bytes(of: ends.reading, upTo: 16, on: Self.scheduler)
        let recorders = (0..<2).map { _ in EventRecorder<[UInt8], SystemError>() }
        for recorder in recorders { source.start(recorder.observer) }
        let bytes = ByteTests.noise(5_000)
        #expect(ends.write(bytes) == bytes.count)
        ends.closeWriting()
        #expect(await eventually { recorders.allSatisfy { $0.termination == .completed } })
        #expect(recorders.flatMap { $0.values.joined() }.sorted() == bytes.sorted())
    }

    /// While other threads open descriptors: one that is closed twice is theirs the second time.
    @Test func aDescriptorIsClosedOnceHoweverTheStartEnds() async {
        let isOver = Atomic(false)
        let victims = Task.detached {
            var count = 0
            while !isOver.value {
                let ends = (0..<8).map { _ in ConnectedEnds.ofPipe() }
                await ByteTests.pause()
                for ends in ends {
                    #expect(ends.write([7]) == 1)
                    #expect(ends.read() == [7])
                }
                count += 1
            }
            return count
        }
        for round in 0..<200 {
            let ends = round % 2 == 0 ? ConnectedEnds.ofPipe() : ConnectedEnds.ofSocketPair()
            let seen = Atomic(0)
            let start = Bytes.bytes(of: ends.reading, upTo: 8, on: Self.scheduler).startWithResult { result in
                if case .success(let bytes) = result { seen.modify { $0 += bytes.count } }
            }
            ends.closeReading()
            #expect(ends.write(ByteTests.noise(64)) == 64)
            switch round % 4 {
            case 0: start.dispose()
            case 1: ends.closeWriting()
            case 2:
                while seen.value == 0 { await Task.yield() }
                start.dispose()
                start.dispose()
            default:
                ends.closeWriting()
                start.dispose()
            }
            if round % 4 == 1 { #expect(await eventually { seen.value == 64 }) }
            if round % 2 == 0 { #expect(await eventually { ends.hasNoReader }) }
        }
        isOver.value = true
        #expect(await victims.value > 0)
    }

    // MARK: Disposal

    @Test func aDisposalInACallbackIsTheEnd() async {
        let ends = ConnectedEnds.ofPipe()
        let recorder = EventRecorder<[UInt8], SystemError>()
        let start = SerialDisposable()
        _ = ends.write(ByteTests.noise(100))
        start.inner = Bytes.bytes(of: ends.reading, upTo: 10, on: Self.scheduler)
            .on(value: { _ in
                while start.inner == nil {}
                start.dispose()
            })
            .start(recorder.observer)
        ends.closeReading()
        #expect(await eventually { ends.hasNoReader })
        #expect(recorder.termination == .interrupted && recorder.values.count <= 1)
    }

    @Test func nothingIsKeptAfterTheEnd() async {
        final class Token: Sendable {}
        weak var token: Token?
        let ends = ConnectedEnds.ofPipe()
        do {
            let kept = Token()
            token = kept
            let start = Bytes.bytes(of: ends.reading, on: Self.scheduler).startWithResult { _ in
                withExtendedLifetime(kept) {}
            }
            ends.closeReading()
            #expect(ends.write([1]) == 1)
            await ByteTests.pause()
            start.dispose()
        }
        #expect(await eventually { ends.hasNoReader })
        #expect(await eventually { token == nil })
    }

    // MARK: Slow consumers

    /// Reads something else on the same scheduler, so that it has had every chance to read too much.
    private static func letTheSchedulerRead() async throws {
        for _ in 0..<3 {
            let ends = ConnectedEnds.ofPipe()
            #expect(ends.write([1]) == 1)
            #expect(try await Bytes.bytes(of: ends.reading, on: scheduler).firstValue() == [1])
        }
    }

    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func aHopThatIsFullStopsTheReading(_ make: @Sendable () -> ConnectedEnds) async throws {
        let ends = make()
        let consumer = QueueScheduler(name: "consumer")
        let reads = Atomic(0)
        let recorder = EventRecorder<[UInt8], SystemError>()
        consumer.queue.suspend()
        Bytes.bytes(of: ends.reading, upTo: 1_000, on: Self.scheduler)
            .on(value: { _ in reads.modify { $0 += 1 } })
            .observe(on: consumer, bufferingPolicy: Self.bound(3))
            .start(recorder.observer)
        var sent: [UInt8] = []
        for _ in 0..<2 {
            sent += ends.fill()
            try await Self.letTheSchedulerRead()
        }
        #expect(await eventually { reads.value >= 4 })
        try await Self.letTheSchedulerRead()
        #expect(reads.value == 4)
        consumer.queue.resume()
        ends.closeWriting()
        #expect(await eventually { recorder.termination != nil })
        #expect(recorder.termination == .completed)
        #expect(Array(recorder.values.joined()) == sent)
    }

    @Test func aTaskThatIsSlowStopsTheReading() async throws {
        let ends = ConnectedEnds.ofSocketPair()
        let reads = Atomic(0)
        let source = Bytes.bytes(of: ends.reading, upTo: 100, on: Self.scheduler).on(value: { _ in
            reads.modify { $0 += 1 }
        })
        let bytes = ByteTests.noise(5_000)
        #expect(ends.write(bytes) == bytes.count)
        ends.closeWriting()
        var (taken, received) = (0, [UInt8]())
        for try await chunk in source.values(bufferingPolicy: Self.bound(4)) {
            taken += 1
            received += chunk
            if taken == 10 { for _ in 0..<3 { try await Self.letTheSchedulerRead() } }
            // What the task has, what waits, and one that fills the buffer.
            #expect(reads.value <= taken + 4 + 1)
        }
        #expect(received == bytes)
    }

    @Test func aStartThatStandsCanBeDisposedOf() async throws {
        let consumer = QueueScheduler(name: "consumer")
        consumer.queue.suspend()
        let ends = ConnectedEnds.ofPipe()
        let start = Bytes.bytes(of: ends.reading, upTo: 100, on: Self.scheduler)
            .observe(on: consumer, bufferingPolicy: Self.bound(2))
            .start()
        ends.closeReading()
        _ = ends.fill()
        try await Self.letTheSchedulerRead()
        start.dispose()
        #expect(await eventually { ends.hasNoReader })
        consumer.queue.resume()
    }

    /// Each of them has data to read and a consumer that stands.
    @Test func manyStalledStartsHoldNoThread() async throws {
        let before = Self.threads
        let reads = Atomic(0)
        let consumer = QueueScheduler(name: "consumer")
        consumer.queue.suspend()
        let all = (0..<200).map { number in
            let ends = number % 2 == 0 ? ConnectedEnds.ofPipe() : ConnectedEnds.ofSocketPair()
            let source = Bytes.bytes(of: ends.reading, upTo: 100, on: Self.scheduler)
                .on(value: { _ in reads.modify { $0 += 1 } })
            let start: any Disposable
            if number % 4 < 2 {
                start = source.observe(on: consumer, bufferingPolicy: Self.bound(2)).start()
            } else {
                let task = Task {
                    for try await _ in source.values(bufferingPolicy: Self.bound(1)) {
                        try await Task.sleep(for: .seconds(600))
                    }
                }
                start = AnyDisposable { task.cancel() }
            }
            _ = ends.fill()
            return (ends, start)
        }
        #expect(await eventually { reads.value >= 600 })
        for _ in 0..<3 {
            try await Self.letTheSchedulerRead()
            #expect(reads.value == 600)
            // Other tests start threads, too.
            #expect(Self.threads < before + 100)
        }
        for (_, start) in all { start.dispose() }
        consumer.queue.resume()
    }

    private static var threads: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Threads:") }
        return line.flatMap { Int($0.dropFirst(8).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    @Test func anEndlessFileLeavesTheSchedulerToOthers() async throws {
        let scheduler = QueueScheduler(name: "shared")
        let endless = Bytes.bytes(upTo: 100, on: scheduler) { () throws(SystemError) in
            try SystemError.check("open", unsafe open("/dev/zero", O_RDONLY))
        }
        let start = endless.start()
        let ends = ConnectedEnds.ofPipe()
        let recorder = EventRecorder<[UInt8], SystemError>()
        let other = Bytes.bytes(of: ends.reading, on: scheduler).start(recorder.observer)
        for number in 1...5 {
            #expect(ends.write([UInt8(number)]) == 1)
            #expect(await eventually { recorder.values.count == number })
        }
        start.dispose()
        other.dispose()
    }
}

@Suite("System errors")
struct SystemErrorTests {
    @Test func aDescriptionHasTheCallTheTextAndTheCode() {
        #expect("\(SystemError("read", code: ECONNRESET))" == "read: Connection reset by peer (\(ECONNRESET))")
        #expect("\(SystemError("read", code: 99_999))".hasSuffix("(99999)"))
        #expect(SystemError("read", code: 1) != SystemError("write", code: 1))
    }

    @Test func aCallIsChecked() throws {
        #expect(try SystemError.check("read", 0) == 0)
        #expect(throws: SystemError("close", code: EBADF)) { try SystemError.check("close", close(-1)) }
    }
}
