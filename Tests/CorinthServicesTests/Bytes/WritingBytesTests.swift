import Corinth
import CorinthTesting
import Foundation
import Testing

@testable import CorinthServices

@Suite("Writing bytes", .timeLimit(.minutes(2)))
struct WritingBytesTests {
    private typealias Bytes = SignalProducer<[UInt8], SystemError>

    private static let scheduler = QueueScheduler(name: "writing")

    private enum Failure: Error { case broken, overrun }

    /// Chunks without an end.
    private static func endless(of size: Int, sent: Atomic<Int> = Atomic(0)) -> SignalProducer<[UInt8], Never> {
        let chunk = [UInt8](repeating: 5, count: size)
        return .generator { output in
            while await output.send(chunk) { sent.modify { $0 += 1 } }
        }
    }

    @Test func valuesAreAppendedToAFile() async throws {
        let file = try ByteFile()
        let bytes = ByteTests.noise(100_000)
        let descriptor = try file.opened(O_WRONLY)
        let chunks = [[]] + ByteTests.chunks(bytes, of: 3_000)
        #expect(
            try await SignalProducer<[UInt8], Never>(chunks).write(to: descriptor, on: Self.scheduler) == bytes.count)
        #expect(file.bytes == bytes)
        // It is still open.
        #expect(try await SignalProducer<[UInt8], Never>(value: [1]).write(to: descriptor, on: Self.scheduler) == 1)
        close(descriptor)
        #expect(file.bytes == bytes + [1])
    }

    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func aPeerThatReadsSlowlyGetsEveryByteInOrder(_ make: @Sendable () -> ConnectedEnds) async throws {
        let ends = make()
        let bytes = ByteTests.noise(600_000)
        let source = SignalProducer<[UInt8], Never>(ByteTests.chunks(bytes, of: 250_000))
        async let received = ends.readAll()
        #expect(try await source.write(to: ends.writing, on: Self.scheduler) == bytes.count)
        ends.closeWriting()
        #expect(await received == bytes)
    }

    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func aPeerThatNeverReadsStopsTheSourceUntilTheTaskIsCancelled(_ make: @Sendable () -> ConnectedEnds) async throws {
        let ends = make()
        let sent = Atomic(0)
        #expect(!ends.fill().isEmpty)
        let isDisposed = Atomic(false)
        let source = Self.endless(of: 100, sent: sent).on(disposed: { isDisposed.value = true })
        let writing = Task {
            try await source.write(
                to: ends.writing, on: Self.scheduler, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never))
        }
        // The loopback device goes on to take some, into buffers of its own.
        var seen = -1
        while sent.value < 4 || sent.value != seen {
            seen = sent.value
            for _ in 0..<20 { await ByteTests.pause() }
        }
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        #expect(await eventually { isDisposed.value })
    }

    @Test(arguments: [ConnectedEnds.ofPipe, ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP])
    func aPeerThatIsGoneIsAnErrorAndNoSignal(_ make: @Sendable () -> ConnectedEnds) async {
        // The one who waits for room, and the one who finds the peer gone.
        for isFull in [true, false] {
            let ends = make()
            if isFull { _ = ends.fill() } else { ends.closeReading() }
            let writing = Task { try await Self.endless(of: 10_000).write(to: ends.writing, on: Self.scheduler) }
            for _ in 0..<5 { await ByteTests.pause() }
            ends.closeReading()
            do {
                _ = try await writing.value
                Issue.record("written")
            } catch {
                let code = (error as? SystemError)?.code
                #expect(code == EPIPE || code == ECONNRESET, "\(error)")
            }
        }
    }

    /// On this thread: the signal neither arrives nor stays behind, and the mask is what it was.
    @Test func aWriteToABrokenPipeLeavesTheSignalsAlone() throws {
        let ends = ConnectedEnds.ofPipe()
        let descriptor = try Descriptor(owning: Descriptor.duplicate(of: ends.writing))
        defer { descriptor.release() }
        ends.closeReading()
        for isBlocked in [false, true] {
            var (signals, before, after, pending) = (sigset_t(), sigset_t(), sigset_t(), sigset_t())
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            unsafe pthread_sigmask(isBlocked ? SIG_BLOCK : SIG_UNBLOCK, &signals, &before)
            #expect(throws: SystemError("write", code: EPIPE)) { try descriptor.putBytes([1], from: 0) }
            unsafe pthread_sigmask(SIG_SETMASK, nil, &after)
            unsafe sigpending(&pending)
            // Whoever blocks the signal gets it, as of any write.
            if unsafe isBlocked && sigismember(&pending, SIGPIPE) == 1 {
                var signal: Int32 = 0
                unsafe sigwait(&signals, &signal)
            } else {
                #expect(unsafe sigismember(&pending, SIGPIPE) == 0)
            }
            #expect(unsafe sigismember(&after, SIGPIPE) == (isBlocked ? 1 : 0))
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        }
    }

    @Test func aFailureOfTheSourceComesAfterItsBytes() async {
        let ends = ConnectedEnds.ofPipe()
        let source = SignalProducer<[UInt8], Failure>([[1], [2, 3]]).concat(SignalProducer(error: .broken))
        await #expect(throws: Failure.broken) { try await source.write(to: ends.writing, on: Self.scheduler) }
        #expect(ends.read() == [1, 2, 3])
    }

    @Test func anInterruptionOfTheSourceIsACancellation() async {
        let ends = ConnectedEnds.ofPipe()
        let source = SignalProducer<[UInt8], Never> { observer, _ in
            observer.send(value: [1])
            observer.sendInterrupted()
        }
        await #expect(throws: CancellationError.self) { try await source.write(to: ends.writing, on: Self.scheduler) }
    }

    @Test func aPolicyThatFailsGivesUpASlowPeer() async {
        let ends = ConnectedEnds.ofSocketPair()
        _ = ends.fill()
        let (output, input) = Signal<[UInt8], Failure>.pipe()
        let writing = Task {
            try await SignalProducer(output).write(
                to: ends.writing, on: Self.scheduler, bufferingPolicy: .failing(capacity: 3, with: .overrun))
        }
        // The signal has no observer before the task runs.
        let feeding = Task {
            while !Task.isCancelled {
                input.send(value: [1])
                await ByteTests.pause()
            }
        }
        await #expect(throws: Failure.overrun) { try await writing.value }
        feeding.cancel()
    }

    @Test func nothingIsStartedForADescriptorThatIsNotOpen() async {
        let isStarted = Atomic(false)
        let source = SignalProducer<[UInt8], Never>(value: [1]).on(started: { isStarted.value = true })
        await #expect(throws: SystemError("fcntl", code: EBADF)) { try await source.write(to: -1, on: Self.scheduler) }
        #expect(!isStarted.value)
    }

    // MARK: Connected

    /// Both directions of a connection on one scheduler, with far more bytes than there is room for.
    @Test(arguments: [ConnectedEnds.ofSocketPair, ConnectedEnds.ofTCP]) func anEchoReturnsEveryLine(
        _ make: @Sendable () -> ConnectedEnds
    )
        async throws
    {
        let ends = make()
        let lines = (0..<5_000).map { "line \($0) " + String(repeating: "ø", count: $0 % 50) }
        let echo = Task {
            try await Bytes.bytes(of: ends.reading, on: Self.scheduler).write(to: ends.reading, on: Self.scheduler)
        }
        let answers = Task {
            try await Bytes.bytes(of: ends.writing, upTo: 1_000, on: Self.scheduler).lines(limit: 1_000).take(
                first: lines.count
            ).allValues()
        }
        let chunks = lines.map { Array("\($0)\r\n".utf8) }
        let count = try await SignalProducer<[UInt8], Never>(chunks).write(to: ends.writing, on: Self.scheduler)
        #expect(try await answers.value == lines)
        shutdown(ends.writing, Int32(SHUT_WR))
        #expect(try await echo.value == count)
    }
}
