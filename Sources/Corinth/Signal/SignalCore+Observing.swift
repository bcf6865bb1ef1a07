// A sink is consumed by its place in the list, and each path through these functions uses it once. If it were borrowed or
// used twice, its closures would be retained for the list and released afterwards.
extension SignalCore {
    /// Adds a disposable observer. On a terminated signal, interrupts it at once and returns nil.
    @inlinable
    func observe(_ sink: consuming Sink<Value, Error>) -> Observation? {
        if isTerminated {
            SignalCore.interrupt(sink)
            return nil
        }
        let observation = Observation(of: self) { source, observation in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(observation)
        }
        guard strand.beginEdit() else {
            observeLater(sink, observation)
            return observation
        }
        if isTerminated {
            strand.endEdit()
            SignalCore.interrupt(sink)
            return nil
        }
        place(sink, observation)
        strand.endEdit()
        return observation
    }

    /// Adds a derived signal.
    @inlinable
    func attach(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        if isTerminated {
            SignalCore.interrupt(sink)
            return
        }
        guard strand.beginEdit() else {
            attachLater(derived, through: sink)
            return
        }
        if isTerminated {
            strand.endEdit()
            SignalCore.interrupt(sink)
            return
        }
        place(derived, through: sink)
        strand.endEdit()
    }

    // MARK: The rare cases, not inlined, so that the others don't keep a sink alive for them

    @inlinable
    @inline(never)
    static func interrupt(_ sink: consuming Sink<Value, Error>) { sink.onTermination(.interrupted) }

    @inlinable
    @inline(never)
    func observeLater(_ sink: consuming Sink<Value, Error>, _ observation: Observation) {
        let sink = consume sink
        strand.enqueueObserving {
            if !observation.isDisposed, !self.add(sink, observation) { sink.onTermination(.interrupted) }
        }
    }

    @inlinable
    @inline(never)
    func attachLater(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        let sink = consume sink
        strand.enqueueObserving {
            if self.isTerminated {
                sink.onTermination(.interrupted)
            } else {
                self.place(derived, through: sink)
            }
        }
    }

    /// Adds an observer, unless the signal has terminated. This and the functions below are called by the strand's owner.
    @inlinable
    func add(_ sink: Sink<Value, Error>, _ observation: Observation) -> Bool {
        if isTerminated { return false }
        place(sink, observation)
        return true
    }

    @inlinable
    func place(_ sink: consuming Sink<Value, Error>, _ observation: Observation) {
        hasList = true
        observation.slot = observers.insert(sink, ObserverPlace(observation, observation.flag), firstAt: firstSlot)
        observerCount += 1
    }

    @inlinable
    func place(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        hasList = true
        let slot = observers.insert(sink, nil, firstAt: firstSlot)
        observerCount += 1
        derived.upstream = Upstream(source: self, slot: slot) { source, slot in
            unsafe unsafeDowncast(source, to: SignalCore<Value, Error>.self).remove(slot)
        }
    }

    // MARK: Removal

    /// Removes an observer whose flag has been raised: in place if the strand is idle, otherwise the strand's owner removes
    /// it before it leaves. An observer that is still queued has no place yet and won't be added.
    @inlinable
    func remove(_ observation: Observation) -> DetachedResources {
        if isTerminated { return DetachedResources() }
        if strand.beginEdit() { return endEdit(removing: observation.slot) }
        if pushRemoval(observation) { strand.enqueueEdit { self.removeDisposed() } }
        return DetachedResources()
    }

    /// Removes all observers that were disposed of while the strand was owned.
    @inlinable
    func removeDisposed() {
        var rest = takeRemovals()
        while let observation = rest {
            rest = observation.takeNextRemoved()
            // Its captures are released when no state change is in progress.
            _ = take(observation.slot)
        }
        terminateIfUnused().release()
    }

    /// Removes a derived signal.
    @inlinable
    func remove(_ slot: UInt64) -> DetachedResources {
        if isTerminated { return DetachedResources() }
        if strand.beginEdit() { return endEdit(removing: slot) }
        strand.enqueueEdit { self.removeInPlace(slot) }
        return DetachedResources()
    }

    /// Removes an observer, ends the edit, and ends the signal if it has no observer left and can't be observed any more.
    @inlinable
    func endEdit(removing slot: UInt64) -> DetachedResources {
        // Its closures are released after the change, when no state change is in progress.
        let observer = take(slot)
        let detached = terminateIfUnused()
        if isTerminated {
            observers.takeAll().release()
            hasList = false
        }
        strand.endEdit()
        _ = consume observer
        return detached
    }

    /// The same, for a removal that was queued on the strand.
    @inlinable
    func removeInPlace(_ slot: UInt64) {
        _ = take(slot)
        terminateIfUnused().release()
    }

    @inlinable
    func take(_ slot: UInt64) -> ObserverSlot<Value, Error>? {
        guard let observer = observers.remove(slot) else { return nil }
        observerCount -= 1
        if observerCount == 0 { observers.shrink() }
        return observer
    }
}
