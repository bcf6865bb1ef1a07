#if !NaiveLocks
    extension Permits {
        /// Called on any thread that keeps this alive.
        final var figures: BufferFigures {
            var figures = BufferFigures()
            // A strand whose state wasn't made has never queued anything.
            guard knownAddress != 0 else { return figures }
            let address = PermitStateAddress(bits: knownAddress)
            figures.id = address.bits
            let capacity = address.pointee.capacity
            figures.capacity = capacity == .max ? nil : capacity
            // relaxed: counts.
            figures.depth = address.pointee.taken(.relaxed)
            figures.stalls = address.pointee.stalls.load(.relaxed)
            figures.excesses = address.pointee.excesses.load(.relaxed)
            if address.pointee.countsPosts {
                // The older count first, so that no more is delivered than posted.
                let delivered = address.pointee.progress.load(.acquire)
                figures.delivered = delivered
                figures.posted = address.pointee.used.load(.relaxed)
            }
            let graph = WaitGraph.acquire()
            figures.waiting = graph.queue(of: address)?.count ?? 0
            figures.blocker = graph.blocker(of: address)?.bits ?? 0
            graph.release()
            return figures
        }
    }

    extension Strand {
        /// Whether a thread owns it, as far as it says: without a bias, only that some thread does.
        func mayBeOwned(by token: UInt64) -> Bool {
            // relaxed: a look.
            let seen = StrandWord(bits: word.load(.relaxed))
            guard seen.isBiased else { return seen.isOwned && !seen.isEdited && orphan.load(.relaxed) == .none }
            return seen.bits & BiasedWord.tokens == token && bias.isInside(seen.bits)
        }

        /// How often a thread's bias was taken back: another one came. After the eighth time, there is no bias any more.
        var biasesTaken: Int {
            // relaxed: a look.
            let isBiased = StrandWord(bits: word.load(.relaxed)).isBiased
            return max(0, unsafe BiasHistory.given(behind: word.address) - (isBiased ? 1 : 0))
        }
    }

    extension Mailbox: InspectedHop {
        var figures: BufferFigures {
            var figures = permits.figures
            figures.wakes = wakes
            return figures
        }

        var drops: Bool { false }
    }

    extension DroppingMailbox: InspectedHop {
        var figures: BufferFigures {
            var figures = permits.figures
            // relaxed: counts. Those of elements that are gone are read first, so that they aren't more than those that were posted.
            let (delivered, dropped) = (returned.load(.relaxed), dropped.load(.relaxed))
            let taken = taken.load(.relaxed)
            let posted = posted.load(.relaxed)
            figures.depth = posted &- taken
            figures.capacity = capacity
            figures.delivered = delivered
            figures.dropped = dropped
            // What is refused isn't posted.
            figures.posted = dropsOldest ? posted : posted &+ dropped
            figures.wakes = wakes
            return figures
        }

        var drops: Bool { true }
    }

    extension OrderedDrain {
        /// How many runs have been posted; nil without an order, where they aren't counted.
        fileprivate var wakes: UInt64? { keepsOrder ? runs.load(.relaxed) : nil }
    }
#endif
