#if NaiveLocks
    internal import CCorinth

    extension Strand {
        /// None: this build shows which streams there are, and no more.
        var figures: BufferFigures { BufferFigures() }

        func mayBeOwned(by token: UInt64) -> Bool { false }

        var biasesTaken: Int { 0 }
    }

    extension ccorinth_layout {
        /// Nothing: there are no figures.
        mutating func describeQueues() {}
    }
#endif
