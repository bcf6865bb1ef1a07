#if !NaiveLocks
    internal import CCorinth

    /// A word whose address has 48 bits at most, for an address that has more.
    ///
    /// Those that are given back are used again. They are not returned to the system: there are as many as were needed at once.
    @safe struct LowWord {
        /// Its address, with the lowest bit set.
        let handle: UInt64

        /// What it holds. It doesn't change while somebody may read it.
        var content: UInt64 { unsafe memory.pointee }

        private var memory: UnsafeMutablePointer<UInt64> {
            guard let memory = unsafe UnsafeMutablePointer<UInt64>(bitPattern: UInt(handle & ~1)) else {
                preconditionFailure("there is no word")
            }
            return unsafe memory
        }

        /// A word that holds `content`.
        static func take(for content: UInt64) -> LowWord {
            let word = pool.take()
            unsafe word.memory.pointee = content
            return word
        }

        /// Called by the last to know of it.
        func giveBack() { LowWord.pool.giveBack(self) }

        private static let pool = Pool()

        private final class Pool: @unchecked Sendable {  // The flag guards the list.
            private var flagStorage: UInt64 = 0

            /// The handle of one that is free, which holds that of the next one; 0 if there is none.
            private var free: UInt64 = 0

            private var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

            func take() -> LowWord {
                flag.acquire()
                if free == 0 { makeMore() }
                let word = LowWord(handle: free)
                free = word.content
                flag.release()
                return word
            }

            func giveBack(_ word: LowWord) {
                flag.acquire()
                unsafe word.memory.pointee = free
                free = word.handle
                flag.release()
            }

            private func makeMore() {
                let size = 64 << 10
                // Straight from the system, whose addresses have no tags, and are not high unless they are asked for.
                let start = unsafe UInt64(UInt(bitPattern: corinth_map(size)))
                precondition(start != 0, "there is no memory left")
                precondition(start >> 48 == 0, "the system gives out addresses of more than 48 bits: \(start)")
                for offset in stride(from: 0, to: UInt64(size), by: 8) {
                    let word = LowWord(handle: start + offset | 1)
                    unsafe word.memory.pointee = free
                    free = word.handle
                }
            }
        }
    }
#endif
