import Corinth
import CorinthTesting
import Testing

@testable import CorinthServices

@Suite("Frames")
struct FramesTests {
    private typealias Event = Signal<[UInt8], DecodingFailure<Never>>.Event

    private static func events<Prefix: FixedWidthInteger & UnsignedInteger>(
        _ chunks: [[UInt8]], _ prefix: Prefix.Type, _ order: ByteOrder = .bigEndian, limit: Int = 1_000
    ) -> [Event] {
        let recorder = EventRecorder<[UInt8], DecodingFailure<Never>>()
        SignalProducer<[UInt8], Never>(chunks).frames(prefix: prefix, order: order, limit: limit).start(
            recorder.observer)
        return recorder.events
    }

    private static func encoded<Prefix: FixedWidthInteger & UnsignedInteger>(
        _ frames: [[UInt8]], _ prefix: Prefix.Type, _ order: ByteOrder
    ) -> [UInt8] {
        frames.flatMap { frame in
            let bytes = (0..<Prefix.bitWidth / 8).map { UInt8(truncatingIfNeeded: frame.count >> (8 * $0)) }
            return (order == .littleEndian ? bytes : bytes.reversed()) + frame
        }
    }

    private static func checkAllCuts<Prefix: FixedWidthInteger & UnsignedInteger>(_ prefix: Prefix.Type) {
        let frames = [[1, 2, 3], [], [], [4], ByteTests.noise(200)]
        for order in [ByteOrder.bigEndian, .littleEndian] {
            let bytes = encoded(frames, prefix, order)
            for size in 1...bytes.count {
                let events = events(ByteTests.chunks(bytes, of: size), prefix, order)
                #expect(events == frames.map { .value($0) } + [.completed], "\(prefix), \(order), chunks of \(size)")
            }
        }
    }

    @Test func prefixesHaveOneToEightBytesInBothOrders() {
        Self.checkAllCuts(UInt8.self)
        Self.checkAllCuts(UInt16.self)
        Self.checkAllCuts(UInt32.self)
        Self.checkAllCuts(UInt64.self)
    }

    @Test func thePrefixesAreThoseOfTheWire() {
        #expect(Self.events([[0, 2, 7, 8]], UInt16.self) == [.value([7, 8]), .completed])
        #expect(Self.events([[2, 0, 7, 8]], UInt16.self, .littleEndian) == [.value([7, 8]), .completed])
        #expect(Self.events([[0, 0, 1, 0] + [UInt8](repeating: 9, count: 256)], UInt32.self).count == 2)
    }

    @Test func aFrameThatIsTooLongFailsWithItsPrefix() {
        #expect(
            Self.events([[3, 1, 2, 3, 4, 1]], UInt8.self, limit: 3) == [
                .value([1, 2, 3]), .failed(.tooLong(limit: 3)),
            ])
        #expect(Self.events([[0], [1]], UInt8.self, limit: 0) == [.value([]), .failed(.tooLong(limit: 0))])
        let largest = [UInt8](repeating: 0xFF, count: 8)
        #expect(Self.events([largest], UInt64.self, limit: .max) == [.failed(.tooLong(limit: .max))])
        #expect(Self.events([[0x7F] + largest[1...], [1]], UInt64.self, limit: .max) == [.failed(.truncated)])
    }

    @Test func aCompletionInsideAFrameIsAFailure() {
        #expect(Self.events([], UInt16.self) == [.completed])
        #expect(Self.events([[0]], UInt16.self) == [.failed(.truncated)])
        #expect(Self.events([[0, 2]], UInt16.self) == [.failed(.truncated)])
        #expect(Self.events([[0, 2, 1]], UInt16.self) == [.failed(.truncated)])
        #expect(Self.events([[0, 2, 1, 2]], UInt16.self) == [.value([1, 2]), .completed])
    }

    /// In small chunks: short frames, and one of all bytes.
    @Test(arguments: [8, Int.max]) func timeIsLinear(chunksEach period: Int) {
        let chunk = [UInt8](repeating: 5, count: 16)
        let growth = ByteTests.growth { count in
            let period = min(period, count / 16)
            let prefix = (0..<4).reversed().map { UInt8(truncatingIfNeeded: (period * 16) >> (8 * $0)) }
            var decoder = FrameDecoder(prefix: UInt32.self, .bigEndian, limit: count)
            var bytes = 0
            do {
                for number in 0..<count / 16 {
                    if number % period == 0 { try decoder.decode(prefix) { bytes += $0.count } }
                    try decoder.decode(chunk) { bytes += $0.count }
                }
            } catch {
                Issue.record(error)
            }
            #expect(bytes == count)
        }
        #expect(growth < 24)
    }

    @Test func aLimitIsNotNegative() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<[UInt8], Never>.empty.frames(limit: -1)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("limit is -1, but must be at least 0"))
    }
}
