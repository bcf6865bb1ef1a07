import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct LockedInstructionsTests {
    @Test(
        arguments: [
            ([0xF0, 0x48, 0x0F, 0xB1, 0x0A], true),  // lock cmpxchg [rdx], rcx
            ([0x66, 0xF0, 0x0F, 0xC1, 0x07], true),  // lock xadd [rdi], ax
            ([0x48, 0x87, 0x07], true),  // xchg [rdi], rax
            ([0x87, 0x04, 0x24], true),  // xchg [rsp], eax
            ([0x86, 0x47, 0x10], true),  // xchg [rdi + 16], al
            ([0x48, 0x87, 0xDB], false),  // xchg rbx, rbx
            ([0x48, 0x89, 0x07], false),  // mov [rdi], rax
            ([0x0F, 0xB1, 0x0A], false),  // cmpxchg [rdx], ecx
            ([0xF3, 0x90], false),  // pause
            ([0x0F, 0xAE, 0xF0], false),  // mfence
            ([], false),
        ] as [([UInt8], Bool)])
    func decoding(_ bytes: [UInt8], locks: Bool) { #expect(LockedInstructions.locks(bytes) == locks) }

    /// A file of ELF64 with `code` at an address.
    private static func object(_ code: [UInt8], at address: UInt64) -> Data {
        var file = Data(repeating: 0, count: 64 + 56)
        func put(_ value: UInt64, at offset: Int, bytes: Int) {
            for index in 0..<bytes { file[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
        }
        file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        put(64, at: 32, bytes: 8)  // Where the program headers begin.
        put(56, at: 54, bytes: 2)  // The size of one.
        put(1, at: 56, bytes: 2)  // How many there are.
        put(1, at: 64, bytes: 4)  // Loaded.
        put(120, at: 64 + 8, bytes: 8)  // Its offset in the file.
        put(address, at: 64 + 16, bytes: 8)
        put(UInt64(code.count), at: 64 + 32, bytes: 8)
        return file + code
    }

    @Test func codeIsReadFromTheFile() throws {
        let code = try #require(ExecutableCode(Self.object([1, 2, 3], at: 0x1000)))
        #expect(code.bytes(at: 0x1000).map(Array.init) == [1, 2, 3])
        #expect(code.bytes(at: 0x1002).map(Array.init) == [3])
        #expect(code.bytes(at: 0x1003) == nil)
        #expect(code.bytes(at: 0xFFF) == nil)
        #expect(ExecutableCode(Data()) == nil)
        #expect(ExecutableCode(Data(repeating: 0, count: 64)) == nil)
        // A header that the file ends before.
        #expect(ExecutableCode(Self.object([], at: 0).prefix(100)) == nil)
    }

    #if arch(x86_64)
        @Test func executedOnesAreCounted() throws {
            let directory = FileManager.default.temporaryDirectory
                .appendingPathComponent("locked-\(UUID().uuidString)", isDirectory: true)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            // At 0x1000 a locked one of 5 bytes, then one that isn't.
            let code: [UInt8] = [0xF0, 0x48, 0x0F, 0xB1, 0x0A, 0x48, 0x89, 0x07]
            try Self.object(code, at: 0x1000).write(to: directory.appendingPathComponent("main"))
            try Self.object(code, at: 0x2000).write(to: directory.appendingPathComponent("library.so"))
            let text = """
                positions: instr line
                events: Ir sysCount sysTime
                ob=(1) main
                fl=(1) ???
                fn=(1) main
                0x1000 0 5
                0x1005 0 7
                cob=(2) \(directory.path)/library.so
                cfn=(2) exchange
                calls=3 0x2000 0
                0x1000 0 60
                ob=(2)
                fn=(2)
                0x2000 0 3 1 2
                ob=(1)
                fn=(1)
                0x1000 0 2
                """
            #expect(LockedInstructions().count(in: text, relativeTo: directory) == 5 + 3 + 2)
            // An address without code, and an object without a file: unavailable, not 0.
            let unknown = "ob=(1) main\n0x3000 0 1\n"
            #expect(LockedInstructions().count(in: unknown, relativeTo: directory) == nil)
            #expect(LockedInstructions().count(in: "ob=(1) none\n0x1000 0 1\n", relativeTo: directory) == nil)
            #expect(LockedInstructions().count(in: "", relativeTo: directory) == 0)
        }
    #endif
}
