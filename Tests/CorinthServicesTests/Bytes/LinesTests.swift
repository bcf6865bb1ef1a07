import Corinth
import CorinthTesting
import Testing

@testable import CorinthServices

@Suite("Lines")
struct LinesTests {
    private static func lines(
        _ chunks: [[UInt8]], limit: Int = 100
    ) -> (values: [String], end: Signal<String, DecodingFailure<Never>>.Event?) {
        let recorder = EventRecorder<String, DecodingFailure<Never>>()
        SignalProducer<[UInt8], Never>(chunks).lines(limit: limit).start(recorder.observer)
        return (recorder.values, recorder.termination)
    }

    private static func lines(_ text: String, limit: Int = 100) -> [String] {
        lines([Array(text.utf8)], limit: limit).values
    }

    @Test func aLineEndsWithANewlineOrWithTheStream() {
        #expect(Self.lines("") == [])
        #expect(Self.lines("a") == ["a"])
        #expect(Self.lines("a\n") == ["a"])
        #expect(Self.lines("a\nb") == ["a", "b"])
        #expect(Self.lines("\n\na\n\n") == ["", "", "a", ""])
        #expect(Self.lines("a\r\nb\r\n\r\nc") == ["a", "b", "", "c"])
        // Alone, a carriage return ends no line.
        #expect(Self.lines("a\rb\r\r\nc") == ["a\rb\r", "c"])
        #expect(Self.lines([]).end == .completed)
    }

    @Test func chunksAreCutAnywhere() {
        let text = "one\r\ntwø 🇬🇷\n\n漢字 und e\u{301}\r\nlast"
        let expected = ["one", "twø 🇬🇷", "", "漢字 und e\u{301}", "last"]
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            let result = Self.lines(ByteTests.chunks(bytes, of: size))
            #expect(result.values == expected, "chunks of \(size)")
            #expect(result.end == .completed)
        }
        for first in 0...bytes.count {
            #expect(
                Self.lines([Array(bytes[..<first]), [], Array(bytes[first...])]).values == expected, "cut at \(first)")
        }
    }

    @Test func aLineThatIsTooLongFailsBeforeItsEnd() {
        let (four, five) = (Array("abcd".utf8), Array("abcde".utf8))
        for size in 1...8 {
            func end(_ bytes: [UInt8]) -> Signal<String, DecodingFailure<Never>>.Event? {
                Self.lines(ByteTests.chunks(bytes, of: size) + [[10]], limit: 4).end
            }
            #expect(end(four) == .completed)
            #expect(end(four + [13]) == .completed)
            #expect(end(five) == .failed(.tooLong(limit: 4)))
            #expect(end(four + [13, 13]) == .failed(.tooLong(limit: 4)))
            #expect(end(four + [10] + five) == .failed(.tooLong(limit: 4)))
        }
        let (output, input) = Signal<[UInt8], Never>.pipe()
        let recorder = EventRecorder<String, DecodingFailure<Never>>()
        output.lines(limit: 4).observe(recorder.observer)
        input.send(value: Array("a\nbcd".utf8))
        #expect(recorder.events == [.value("a")])
        input.send(value: Array("efgh".utf8))
        input.send(value: Array("\nb\n".utf8))
        #expect(recorder.events == [.value("a"), .failed(.tooLong(limit: 4))])
    }

    @Test func bytesThatAreNotUTF8AreReplaced() {
        #expect(Self.lines([[0x61, 0xFF, 0x62, 10]]).values == ["a\u{FFFD}b"])
    }

    @Test func aFailureAndAnInterruptionDropTheLineThatHasBegun() {
        let error = SystemError("read", code: 5)
        for (end, expected) in [
            (
                Signal<[UInt8], SystemError>.Event.failed(error),
                Signal<String, DecodingFailure<SystemError>>.Event.failed(.sourceFailed(error))
            ),
            (.interrupted, .interrupted),
        ] {
            let (output, input) = Signal<[UInt8], SystemError>.pipe()
            let recorder = EventRecorder<String, DecodingFailure<SystemError>>()
            output.lines(limit: 4).observe(recorder.observer)
            input.send(value: Array("a\nb".utf8))
            input.send(end)
            #expect(recorder.events == [.value("a"), expected])
        }
    }

    @Test func eachStartBeginsALineOfItsOwn() {
        let lines = SignalProducer<[UInt8], Never>([[0x61], [0x62]]).lines(limit: 2)
        let recorders = (0..<2).map { _ in EventRecorder<String, DecodingFailure<Never>>() }
        for recorder in recorders { lines.start(recorder.observer) }
        for recorder in recorders { #expect(recorder.events == [.value("ab"), .completed]) }
    }

    /// In small chunks: short lines, and one of all bytes.
    @Test(arguments: [10, Int.max]) func timeIsLinear(newlineEach period: Int) {
        let middle = [UInt8](repeating: 0x61, count: 16)
        let last: [UInt8] = middle.dropLast() + [10]
        let growth = ByteTests.growth { count in
            var decoder = LineDecoder(limit: count)
            var bytes = 0
            do {
                for number in 1...count / 16 {
                    try decoder.decode(number % period == 0 ? last : middle) { bytes += $0.utf8.count + 1 }
                }
                try decoder.complete { bytes += $0.utf8.count }
            } catch {
                Issue.record(error)
            }
            #expect(bytes == count)
        }
        #expect(growth < 24)
    }

    @Test func aLimitIsAtLeastOne() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<[UInt8], Never>.empty.lines(limit: 0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("limit is 0, but must be at least 1"))
    }
}
