#if NaiveLocks
    extension Strand {
        /// None: this build shows which streams there are, and no more.
        var figures: BufferFigures { BufferFigures() }
    }

    extension Strand {
        func mayBeOwned(by token: UInt64) -> Bool { false }
    }
#endif
