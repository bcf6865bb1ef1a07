extension SignalCore {
    /// Adds an observer that can be disposed of. On a terminated signal, interrupts it at once and returns nil.
    @inlinable
    func observe(_ sink: Sink<Value, Error>) -> Observation? {
        if isTerminated {
            sink.onTermination(.interrupted)
            return nil
        }
        let observation = Observation(of: self) { source, observation in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(observation)
        }
        if strand.beginEdit() {
            let isAdded = add(sink, observation)
            strand.endEdit()
            if isAdded { return observation }
            sink.onTermination(.interrupted)
            return nil
        }
        strand.enqueueEdit {
            if !observation.isDisposed, !self.add(sink, observation) { sink.onTermination(.interrupted) }
        }
        return observation
    }

    /// Adds a derived signal.
    @inlinable
    func attach<U, F>(_ derived: SignalCore<U, F>, through sink: Sink<Value, Error>) {
        if isTerminated {
            sink.onTermination(.interrupted)
            return
        }
        if strand.beginEdit() {
            let isAdded = add(derived, through: sink)
            strand.endEdit()
            if !isAdded { sink.onTermination(.interrupted) }
            return
        }
        strand.enqueueEdit {
            if !self.add(derived, through: sink) { sink.onTermination(.interrupted) }
        }
    }

    @inlinable
    func add(_ sink: Sink<Value, Error>, _ observation: Observation) -> Bool {
        if isTerminated { return false }
        hasList = true
        observation.slot = observers.insert(sink, observation, firstAt: firstSlot)
        observerCount += 1
        return true
    }

    @inlinable
    func add(_ derived: SignalState, through sink: Sink<Value, Error>) -> Bool {
        if isTerminated { return false }
        hasList = true
        let slot = observers.insert(sink, nil, firstAt: firstSlot)
        observerCount += 1
        derived.upstream = Upstream(source: self, slot: slot) { source, slot in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(slot)
        }
        return true
    }

    /// Takes an observer out. One whose coming is still queued has no slot yet, and will not come: it is disposed of.
    @inlinable
    func remove(_ observation: Observation) -> Leftovers {
        if isTerminated { return Leftovers() }
        if strand.beginEdit() { return endEdit(removing: observation.slot) }
        strand.enqueueEdit { self.removeInPlace(observation.slot) }
        return Leftovers()
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
