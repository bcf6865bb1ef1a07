#if !NaiveLocks
    internal import CCorinth

    /// A word whose address has at most 48 bits. It holds an address that has more.
    ///
    /// Words are reused. They are never returned to the system: the pool holds as many as were in use at once.
    @safe struct LowWord {
        /// The word's address, with the lowest bit set.
        let handle: UInt64

        /// The address it holds. Constant while any thread may read it.
        var content: UInt64 { unsafe memory.pointee }

        private var memory: UnsafeMutablePointer<UInt64> {
            guard let memory = unsafe UnsafeMutablePointer<UInt64>(bitPattern: UInt(handle & ~1)) else {
                preconditionFailure("the handle of a word is 0")
            }
            return unsafe memory
        }

        /// A word that holds `content`.
        static func take(for content: UInt64) -> LowWord {
            let word = pool.take()
            unsafe word.memory.pointee = content
            return word
        }

        /// Returns the word to the pool. The last user calls it.
        func giveBack() { LowWord.pool.giveBack(self) }

        private static let pool = Pool()

        private final class Pool: @unchecked Sendable {  // The flag guards the list.
            private let flag = OwnerFlag()

            /// The handle of a free word, which holds the handle of the next one; 0 if there is none.
            private var free: UInt64 = 0

            func take() -> LowWord {
                let held = flag.acquire()
                if free == 0 { makeMore() }
                let word = LowWord(handle: free)
                free = word.content
                flag.release(held)
                return word
            }

            func giveBack(_ word: LowWord) {
                let held = flag.acquire()
                unsafe word.memory.pointee = free
                free = word.handle
                flag.release(held)
            }

            private func makeMore() {
                let size = 64 << 10
                // Mapped directly by the system: these addresses have no tags, and high ones are only returned on request.
                let start = unsafe UInt64(UInt(bitPattern: ccorinth_map(size)))
                precondition(start != 0, "the system has no memory left")
                precondition(
                    start >> 48 == 0, "the address of mapped memory is \(start), but must have at most 48 bits")
                for offset in stride(from: 0, to: UInt64(size), by: 8) {
                    let word = LowWord(handle: start + offset | 1)
                    unsafe word.memory.pointee = free
                    free = word.handle
                }
            }
        }
    }
#endif
