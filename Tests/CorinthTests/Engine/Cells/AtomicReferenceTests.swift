#if !NaiveLocks
    @testable import Corinth
    import Testing

    @Suite("A cell with boxes")
    struct AtomicReferenceTests {
        /// Simulates addresses with this many usable bits: all, as in a small heap, or none.
        @Test(arguments: [48, 24, 0] as [UInt64])
        func `Addresses that don't fit into the word are stored elsewhere`(bits: UInt64) {
            let leaks = LeakCounter()
            Stress.repeated(share: 0.2) {
                let cell = AtomicReference(leaks.token(), addressBits: bits)
                ThreadGroup.run(4) { index in
                    for _ in 0..<500 {
                        if index < 2 {
                            cell.load().touch()
                        } else {
                            cell.exchange(leaks.token()).touch()
                            cell.update { _ in leaks.token() }.touch()
                        }
                    }
                }
            }
            #expect(leaks.count == 0)
        }

        @Test(arguments: [48, 0] as [UInt64])
        func `A cell returns the value that was stored`(bits: UInt64) {
            let cell = AtomicReference("first", addressBits: bits)
            #expect(cell.load() == "first")
            #expect(cell.exchange("second") == "first")
            #expect(cell.update { $0 + " and third" } == "second")
            #expect(cell.update { _ in nil } == "second and third")
            #expect(cell.load() == "second and third")
        }

        @Test func `More concurrent readers than the count can represent stop the program`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let cell = AtomicReference("value")
                // As many readers as the count can represent begin to read and don't finish.
                cell.word.word.fetchAdd(65_535 << 48, .relaxed)
                _ = cell.load()
            }
            // Optimised code traps without a message.
            #if DEBUG
                let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
                #expect(message.contains("65536 threads read a value at once"))
            #else
                _ = result
            #endif
        }
    }
#endif
