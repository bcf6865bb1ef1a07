import Foundation

/// HdrHistogram's encoding of a histogram, V2, compressed, in base 64: what its logs contain and its tools read.
extension Histogram {
    /// The encoding. All integers are big-endian.
    ///
    /// The compressed form is a stream of zlib whose blocks are stored as they are. Zeros are already encoded as their number,
    /// so a deflated stream would be little smaller.
    var encoded: String {
        let stream = Self.zlib(uncompressed)
        var bytes = Self.bigEndian(Self.compressedCookie) + Self.bigEndian(UInt32(stream.count))
        bytes += stream
        return Data(bytes).base64EncodedString()
    }

    /// The first four bytes, with the version and the size of a word.
    private static let cookie: UInt32 = 0x1C84_9313
    private static let compressedCookie: UInt32 = 0x1C84_9314

    private static let significantDigits: UInt32 = 3

    /// The header, then the counts. HdrHistogram's buckets for this range and precision are those of this histogram.
    private var uncompressed: [UInt8] {
        let counts = encodedCounts
        var bytes = Self.bigEndian(Self.cookie) + Self.bigEndian(UInt32(counts.count))
        // The offset of the first bucket.
        bytes += Self.bigEndian(UInt32(0)) + Self.bigEndian(Self.significantDigits)
        // The smallest value that differs from 0, the largest value, and the unit.
        bytes += Self.bigEndian(UInt64(1)) + Self.bigEndian(Self.highest) + Self.bigEndian((1.0).bitPattern)
        return bytes + counts
    }

    /// The counts up to the last one that isn't 0. A sequence of zeros is the negative of their number.
    private var encodedCounts: [UInt8] {
        var bytes: [UInt8] = []
        var next = 0
        for (bucket, count) in filled {
            if bucket > next { Self.append(Int64(next - bucket), to: &bytes) }
            Self.append(Int64(clamping: count), to: &bytes)
            next = bucket + 1
        }
        return bytes
    }

    /// Appends a number, 7 bits to a byte, the lowest ones first (LEB128). The lowest bit is the sign (ZigZag). A ninth byte
    /// has 8 bits.
    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        for _ in 0..<8 where rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// `bytes` as a stream of zlib (RFC 1950) of stored blocks (RFC 1951).
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        // Deflate, with a window of 32 KiB, without a dictionary.
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: mostStored) {
            let block = bytes[start..<min(start + mostStored, bytes.count)]
            let length = UInt16(block.count)
            stream.append(start + mostStored < bytes.count ? 0 : 1)
            // The only little-endian numbers.
            stream += bigEndian(length.byteSwapped) + bigEndian((~length).byteSwapped) + block
        }
        return stream + bigEndian(adler32(bytes))
    }

    private static let mostStored = 65_535

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
    }
}
