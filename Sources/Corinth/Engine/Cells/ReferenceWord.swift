#if !NaiveLocks
    /// The word of an ``AtomicReference``: its box, and how many threads read it.
    ///
    ///      63 ………… 48   47 ………… 0
    ///     |  readers   |  handle  |
    ///
    /// The handle is the address of the box, or that of a ``LowWord`` with its lowest bit set. It is never 0.
    struct ReferenceWord: WordState, Equatable, Sendable {
        let bits: UInt64

        static var oneReader: ReferenceWord { ReferenceWord(bits: 1 << 48) }

        /// How many threads may read at the same moment.
        static var mostReaders: UInt64 { (1 << 16) - 1 }

        init(bits: UInt64) {
            self.bits = bits
        }

        /// A box without readers.
        init(handle: UInt64) {
            bits = handle
        }

        var handle: UInt64 { bits & (ReferenceWord.oneReader.bits - 1) }

        var readers: UInt64 { bits >> 48 }

        /// The word after a reader has entered.
        func entering() -> ReferenceWord {
            precondition(
                readers < ReferenceWord.mostReaders,
                "\(readers + 1) threads read a value at once, but at most \(ReferenceWord.mostReaders) may")
            return ReferenceWord(bits: bits &+ ReferenceWord.oneReader.bits)
        }

        /// The word after a reader of `handle` has left; nil if the box was replaced.
        func leaving(_ handle: UInt64) -> ReferenceWord? {
            guard self.handle == handle else { return nil }
            assert(readers > 0, "a thread has finished reading a box that no thread reads")
            return ReferenceWord(bits: bits &- ReferenceWord.oneReader.bits)
        }

        /// The word with another box; nil if `handle` was already replaced.
        func replacing(_ handle: UInt64, by next: UInt64) -> ReferenceWord? {
            self.handle == handle ? ReferenceWord(handle: next) : nil
        }
    }
#endif
