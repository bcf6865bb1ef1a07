#if !NaiveLocks
    @testable import Corinth
    import Testing

    @Suite("A cell with boxes")
    struct AtomicReferenceTests {
        /// As if so many bits of an address were all that fits: all, those of a small heap, none.
        @Test("Addresses that don't fit are kept elsewhere", arguments: [48, 24, 0] as [UInt64])
        func addresses(bits: UInt64) {
            let live = Live()
            Stress.repeated(share: 0.2) {
                let cell = AtomicReference(live.token(), addressBits: bits)
                Crew.run(4) { index in
                    for _ in 0..<500 {
                        if index < 2 {
                            cell.load().touch()
                        } else {
                            cell.exchange(live.token()).touch()
                            cell.update { _ in live.token() }.touch()
                        }
                    }
                }
            }
            #expect(live.count == 0)
        }

        @Test("A value is the one that was put there", arguments: [48, 0] as [UInt64])
        func values(bits: UInt64) {
            let cell = AtomicReference("first", addressBits: bits)
            #expect(cell.load() == "first")
            #expect(cell.exchange("second") == "first")
            #expect(cell.update { $0 + " and third" } == "second")
            #expect(cell.update { _ in nil } == "second and third")
            #expect(cell.load() == "second and third")
        }

        @Test("More readers than there is room for are not miscounted: the program stops")
        func tooManyReaders() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let cell = AtomicReference("value")
                // As many as there is room for read, and none of them goes on.
                AtomicWord(of: cell).fetchAdd(65_535 << 48, .relaxed)
                _ = cell.load()
            }
            // Optimised code traps without a word.
            #if DEBUG
                let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
                #expect(message.contains("65535 threads read a value at the same moment"))
            #else
                _ = result
            #endif
        }
    }
#endif
