#if !NaiveLocks
    /// Whether the strand is owned, and its queued nodes: one word, so that one compare-exchange decides each race.
    ///
    ///      63 … 61      60 ……… 4      3        2           1        0
    ///     | generation | newest node | biased | unclaimed | edited | owned |
    ///
    /// On arm64 the generation is in bits 53 to 55, between those of the node: see ``BiasedWord/generationBits``.
    ///
    /// Invariants: a node implies owned, and so do edited and unclaimed. Biased and the generation are those of a
    /// ``BiasedWord``. A biased strand isn't owned and has no node; it has a thread's number in place of the node.
    @frozen
    @usableFromInline
    struct StrandWord: WordState, Equatable, Sendable {
        @usableFromInline let bits: UInt64

        /// No owner, no nodes.
        @inlinable @inline(__always)
        static var idle: StrandWord { StrandWord(bits: 0) }

        /// An owner delivers; no nodes.
        @inlinable @inline(__always)
        static var owned: StrandWord { StrandWord(bits: 1) }

        /// An owner changes the signal's state and delivers nothing; no nodes.
        @inlinable @inline(__always)
        static var edited: StrandWord { StrandWord(bits: 3) }

        @inlinable @inline(__always)
        init(bits: UInt64) {
            self.bits = bits
        }

        var isOwned: Bool { bits & 1 != 0 }

        var isEdited: Bool { bits & 2 != 0 }

        /// Whether the strand is biased to a thread, which may be inside.
        var isBiased: Bool { bits & BiasedWord.biased != 0 }

        /// Whether the list has a reference to the object whose strand this is.
        var isKept: Bool { bits & StrandWord.kept != 0 }

        static var kept: UInt64 { 1 << (BiasedWord.generationBits - 1) }

        /// Everything but the node.
        private static var flags: UInt64 { BiasedWord.generations | kept | BiasedWord.unclaimed | 3 }

        /// The address of the newest node, or 0. A biased strand has none.
        var newest: UInt64 { isBiased ? 0 : bits & ~StrandWord.flags }

        enum Arrival: Equatable {
            /// The strand was idle: the arriving thread owns it.
            case own
            /// The strand was owned: the node is pushed onto `older`, which may be 0.
            case wait(older: UInt64)
        }

        /// The word after a thread arrives with a node at `address`. If the strand is biased, then to this thread, which is
        /// inside: it owns the strand or, in a signal handler, has interrupted itself before it knew. So the strand is left
        /// unclaimed, to the thread's part that is inside.
        ///
        /// - Parameter keeps: Whether the list is kept from now on, if the node is pushed.
        func arriving(with address: UInt64, keeps: Bool = false) -> (next: StrandWord, arrival: Arrival) {
            guard isOwned || isBiased else { return (.owned, .own) }
            let mark = (isBiased ? BiasedWord.owned | BiasedWord.unclaimed : 0) | (keeps ? StrandWord.kept : 0)
            return (StrandWord(bits: address | mark | bits & StrandWord.flags), .wait(older: newest))
        }

        enum Departure: Equatable {
            /// No nodes were queued: the strand is idle.
            case left
            /// The owner runs the nodes from `newest` on. The strand stays owned.
            case run(newest: UInt64)
        }

        /// The word after its owner has run all nodes that it knew of.
        func departing() -> (next: StrandWord, departure: Departure) {
            newest == 0 ? (.idle, .left) : (.owned, .run(newest: newest))
        }
    }
#endif
