// A sink is handed over, `__owned`, to its place in the list, and each way through these functions uses it once: borrowed, or
// used once more, its closures would be retained for the list and released after it.
extension SignalCore {
    /// Adds an observer that can be disposed of. On a terminated signal, interrupts it at once and returns nil.
    @inlinable
    func observe(_ sink: __owned Sink<Value, Error>) -> Observation? {
        if isTerminated {
            sink.onTermination(.interrupted)
            return nil
        }
        let observation = Observation(of: self) { source, observation in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(observation)
        }
        guard strand.beginEdit() else {
            strand.enqueueObserving {
                if !observation.isDisposed, !self.add(sink, observation) { sink.onTermination(.interrupted) }
            }
            return observation
        }
        if isTerminated {
            strand.endEdit()
            sink.onTermination(.interrupted)
            return nil
        }
        place(sink, observation)
        strand.endEdit()
        return observation
    }

    /// Adds a derived signal.
    @inlinable
    func attach<U, F>(_ derived: SignalCore<U, F>, through sink: __owned Sink<Value, Error>) {
        if isTerminated {
            sink.onTermination(.interrupted)
            return
        }
        guard strand.beginEdit() else {
            strand.enqueueObserving {
                if self.isTerminated {
                    sink.onTermination(.interrupted)
                } else {
                    self.place(derived, through: sink)
                }
            }
            return
        }
        if isTerminated {
            strand.endEdit()
            sink.onTermination(.interrupted)
            return
        }
        place(derived, through: sink)
        strand.endEdit()
    }

    /// Adds an observer, unless the signal has ended. Called by the owner of the strand, as all that follows.
    @inlinable
    func add(_ sink: Sink<Value, Error>, _ observation: Observation) -> Bool {
        if isTerminated { return false }
        place(sink, observation)
        return true
    }

    @inlinable
    func place(_ sink: __owned Sink<Value, Error>, _ observation: Observation) {
        hasList = true
        observation.slot = observers.insert(sink, observation, firstAt: firstSlot)
        observerCount += 1
    }

    @inlinable
    func place(_ derived: SignalState, through sink: __owned Sink<Value, Error>) {
        hasList = true
        let slot = observers.insert(sink, nil, firstAt: firstSlot)
        observerCount += 1
        derived.upstream = Upstream(source: self, slot: slot) { source, slot in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(slot)
        }
    }

    // MARK: Removal

    /// Takes an observer out whose flag has been raised: here, if the strand is idle. Else its owner does, before it leaves.
    /// One whose coming is still queued has no place yet, and will not come.
    @inlinable
    func remove(_ observation: Observation) -> Leftovers {
        if isTerminated { return Leftovers() }
        if strand.beginEdit() { return endEdit(removing: observation.slot) }
        if pushRemoval(observation) { strand.enqueueEdit { self.removeDisposed() } }
        return Leftovers()
    }

    /// Takes out all observers that were disposed of while the strand was owned.
    @inlinable
    func removeDisposed() {
        var rest = takeRemovals()
        while let observation = rest {
            rest = observation.takeNextRemoved()
            // What it captures is released with nothing in the making.
            _ = take(observation.slot)
        }
        settleIfUnused().release()
    }

    /// Takes a derived signal out.
    @inlinable
    func remove(_ slot: UInt64) -> Leftovers {
        if isTerminated { return Leftovers() }
        if strand.beginEdit() { return endEdit(removing: slot) }
        strand.enqueueEdit { self.removeInPlace(slot) }
        return Leftovers()
    }

    /// Takes an observer out, ends the signal if that was the last one and nobody can come any more, and ends the edit.
    @inlinable
    func endEdit(removing slot: UInt64) -> Leftovers {
        // Its closures are released after the change, when nothing is in the making.
        let observer = take(slot)
        let leftovers = settleIfUnused()
        if isTerminated {
            observers.takeAll().release()
            hasList = false
        }
        strand.endEdit()
        _ = consume observer
        return leftovers
    }

    /// The same, when it had to wait for the strand.
    @inlinable
    func removeInPlace(_ slot: UInt64) {
        _ = take(slot)
        settleIfUnused().release()
    }

    @inlinable
    func take(_ slot: UInt64) -> ObserverSlot<Value, Error>? {
        guard let observer = observers.remove(slot) else { return nil }
        observerCount -= 1
        if observerCount == 0 { observers.shrink() }
        return observer
    }
}
