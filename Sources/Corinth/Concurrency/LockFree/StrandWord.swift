#if !NaiveLocks
    /// Who may deliver, and what waits: one word, so that one compare-exchange settles each race.
    ///
    ///      63 ……………… 2    1        0
    ///     | newest node | edited | owned |
    ///
    /// Invariants: a node implies owned, and so does edited.
    @frozen
    @usableFromInline
    struct StrandWord: Equatable, Sendable {
        @usableFromInline let bits: UInt64

        /// Nobody delivers, nothing waits.
        @inlinable @inline(__always)
        static var idle: StrandWord { StrandWord(bits: 0) }

        /// Somebody delivers, nothing waits.
        @inlinable @inline(__always)
        static var owned: StrandWord { StrandWord(bits: 1) }

        /// Somebody changes the signal's state, and delivers nothing; nothing waits.
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
            /// The strand was idle: who arrives owns it.
            case own
            /// The strand was owned: the node waits in front of `older`, which may be 0.
            case wait(older: UInt64)
        }

        /// What becomes of the word when somebody arrives with a node at `address`.
        func arriving(with address: UInt64) -> (next: StrandWord, arrival: Arrival) {
            isOwned
                ? (StrandWord(bits: address | bits & 3), .wait(older: newest))
                : (.owned, .own)
        }

        enum Departure: Equatable {
            /// Nothing waited: the strand is idle.
            case left
            /// The nodes from `newest` on are the owner's to run, and the strand is still its own.
            case run(newest: UInt64)
        }

        /// What becomes of the word when its owner is done with everything that it knew of.
        func departing() -> (next: StrandWord, departure: Departure) {
            newest == 0 ? (.idle, .left) : (.owned, .run(newest: newest))
        }
    }
#endif
