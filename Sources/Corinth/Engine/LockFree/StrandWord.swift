#if !NaiveLocks
    /// Whether the strand is owned, and its queued nodes: one word, so that one compare-exchange decides each race.
    ///
    ///      63 ……………… 2    1        0
    ///     | newest node | edited | owned |
    ///
    /// Invariants: a node implies owned, and so does edited.
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

        /// The address of the newest node, or 0.
        var newest: UInt64 { bits & ~3 }

        enum Arrival: Equatable {
            /// The strand was idle: the arriving thread owns it.
            case own
            /// The strand was owned: the node is pushed onto `older`, which may be 0.
            case wait(older: UInt64)
        }

        /// The word after a thread arrives with a node at `address`.
        func arriving(with address: UInt64) -> (next: StrandWord, arrival: Arrival) {
            isOwned
                ? (StrandWord(bits: address | bits & 3), .wait(older: newest))
                : (.owned, .own)
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
