#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every word of a reference that few readers make, and each transition.
    @Suite("ReferenceWord")
    struct ReferenceWordTests {
        /// The lowest address, a high one, and the highest handle of a ``LowWord``.
        private static let handles: [UInt64] = [0x10, 0x7fff_dead_bee0, (1 << 48) - 1]

        private static let transitions: [Transition<ReferenceWord>] = {
            var result: [Transition<ReferenceWord>] = [{ $0.readers < 3 ? $0.entering() : nil }]
            for handle in handles {
                result.append { $0.readers > 0 ? $0.leaving(handle) : nil }
                for next in handles { result.append { $0.replacing(handle, by: next) } }
            }
            return result
        }()

        private static let everyWord = reachable(from: ReferenceWord(handle: handles[0]), by: transitions)

        @Test func `Each box has any number of readers`() {
            #expect(Self.everyWord.count == 4 * Self.handles.count)
            for word in Self.everyWord { #expect(Self.handles.contains(word.handle) && word.readers <= 3) }
        }

        @Test(arguments: everyWord)
        func `A thread that enters is counted, by one addition`(word: ReferenceWord) {
            let next = word.entering()
            #expect(next.handle == word.handle && next.readers == word.readers + 1)
            #expect(next.bits == word.bits &+ ReferenceWord.oneReader.bits)
        }

        @Test(arguments: everyWord, handles)
        func `A thread that leaves is counted off, unless the box was replaced`(word: ReferenceWord, handle: UInt64) {
            if word.readers == 0 { return }
            guard let next = word.leaving(handle) else {
                #expect(word.handle != handle)
                return
            }
            #expect(next.handle == word.handle && next.readers == word.readers - 1)
        }

        @Test(arguments: everyWord, handles)
        func `A box is replaced by one that nobody reads`(word: ReferenceWord, handle: UInt64) {
            for next in Self.handles {
                #expect(word.replacing(handle, by: next) == (word.handle == handle ? ReferenceWord(handle: next) : nil))
            }
        }

        @Test func `More readers than can be counted are a mistake`() async {
            let last = ReferenceWord(bits: (ReferenceWord.mostReaders - 1) << 48 | 0x10)
            #expect(last.entering().readers == ReferenceWord.mostReaders)
            await #expect(processExitsWith: .failure) {
                _ = ReferenceWord(bits: ReferenceWord.mostReaders << 48 | 0x10).entering()
            }
        }
    }
#endif
