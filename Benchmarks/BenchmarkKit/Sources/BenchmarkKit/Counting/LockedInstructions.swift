import Foundation

/// Counts executed instructions that lock a cache line: atomic read-modify-writes, of whatever function.
///
/// A file of Callgrind with `--dump-instr=yes` has the address of each executed instruction, and how often it was executed. The
/// instruction itself is in the program or the library at that address. On x86-64 it locks if it has the prefix `lock`, or
/// exchanges a register with memory, which implies the prefix (Intel 64 and IA-32 Architectures Software Developer's Manual,
/// volume 3A, section 9.1.2).
final class LockedInstructions {
    private var objects: [Substring: ExecutableCode?] = [:]

    /// How many such instructions were executed; nil if an executed instruction can't be read, or on another architecture.
    ///
    /// - Parameters:
    ///   - text: The file, with `--compress-pos=no`.
    ///   - directory: What the paths of the programs are relative to.
    func count(in text: String, relativeTo directory: URL) -> Int? {
        #if arch(x86_64)
            var paths: [Substring: Substring] = [:]
            var code: ExecutableCode?
            var isInclusive = false
            var count = 0
            for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
                if line.hasPrefix("ob=(") || line.hasPrefix("cob=("), let end = line.firstIndex(of: ")") {
                    // As with functions: the first mention has a number and a name, later ones only the number.
                    let number = line[..<end].drop { $0 != "(" }
                    let name = line[end...].dropFirst(2)
                    if !name.isEmpty { paths[number] = name }
                    if line.hasPrefix("o") { code = paths[number].flatMap { object(at: $0, relativeTo: directory) } }
                } else if line.hasPrefix("calls=") {
                    // The next line has the cost of the call, with the address of the calling instruction.
                    isInclusive = true
                } else if line.hasPrefix("0x") {
                    defer { isInclusive = false }
                    if isInclusive { continue }
                    let fields = line.split(separator: " ")
                    guard fields.count >= 3, let address = UInt64(fields[0].dropFirst(2), radix: 16),
                        let times = Int(fields[2]), let bytes = code?.bytes(at: address)
                    else { return nil }
                    if LockedInstructions.locks(bytes) { count += times }
                }
            }
            return count
        #else
            return nil
        #endif
    }

    private func object(at path: Substring, relativeTo directory: URL) -> ExecutableCode? {
        if let known = objects[path] { return known }
        let file = URL(fileURLWithPath: String(path), relativeTo: directory)
        let object = (try? Data(contentsOf: file, options: .alwaysMapped)).flatMap(ExecutableCode.init)
        objects[path] = .some(object)
        return object
    }

    private static let prefixes: Set<UInt8> = [0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0xF2, 0xF3]

    /// Whether the instruction of x86-64 that `bytes` begin with locks a cache line.
    static func locks(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes.drop { prefixes.contains($0) }
        if rest.first == 0xF0 { return true }
        // REX.
        if let first = rest.first, first & 0xF0 == 0x40 { rest = rest.dropFirst() }
        // XCHG with a memory operand: the mode of the second byte isn't “register”.
        guard let code = rest.first, code == 0x86 || code == 0x87, let operands = rest.dropFirst().first else {
            return false
        }
        return operands >> 6 != 3
    }
}

/// The code of a program or a library in the format ELF64, little-endian.
struct ExecutableCode {
    private struct Segment {
        var addresses: Range<UInt64>
        var offset: UInt64
    }

    private let file: Data
    private var segments: [Segment] = []

    /// nil if the file isn't of this format.
    init?(_ file: Data) {
        self.file = file
        guard file.count >= 64, file.prefix(6) == Data([0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let table = number(at: 32, bytes: 8)
        let size = number(at: 54, bytes: 2)
        for index in 0..<number(at: 56, bytes: 2) {
            let header = table + index * size
            guard header + 56 <= file.count else { return nil }
            // Loaded segments only.
            guard number(at: header, bytes: 4) == 1 else { continue }
            let address = number(at: header + 16, bytes: 8)
            let length = number(at: header + 32, bytes: 8)
            guard address <= .max - length else { return nil }
            segments.append(Segment(addresses: address..<address + length, offset: number(at: header + 8, bytes: 8)))
        }
    }

    private func number(at offset: UInt64, bytes: UInt64) -> UInt64 {
        (0..<bytes).reduce(0) { $0 | UInt64(file[file.startIndex + Int(offset + $1)]) << (8 * $1) }
    }

    /// Up to 15 bytes from an address of the program on: the longest instruction. nil if nothing is loaded there.
    func bytes(at address: UInt64) -> Data? {
        guard let segment = segments.first(where: { $0.addresses.contains(address) }) else { return nil }
        let start = segment.offset + (address - segment.addresses.lowerBound)
        let length = min(15, segment.addresses.upperBound - address)
        guard start + length <= file.count else { return nil }
        return file[file.startIndex + Int(start)..<file.startIndex + Int(start + length)]
    }
}
