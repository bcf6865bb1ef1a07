// A sink is consumed by its place in the list, and each path through these functions uses it once. If it were borrowed or
// used twice, its closures would be retained for the list and released afterwards.
extension SignalCore {
    /// Adds a disposable observer. On a terminated signal, interrupts it at once and returns nil.
    @inlinable
    func observe(_ sink: consuming Sink<Value, Error>) -> Observation? {
        // acquire: as in `isTerminated`.
        if end.load(.acquire).isRareToObserve { return observeRarely(sink) }
        let observation = Observation(of: self)
        guard let edit = beginEdit() else {
            observeLater(sink, observation)
            return observation
        }
        if isTerminated {
            endEdit(edit)
            SignalCore.interrupt(sink)
            return nil
        }
        place(sink, observation)
        endEdit(edit)
        return observation
    }

    /// Adds a derived signal.
    @inlinable
    func attach(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        if isTerminated || derived.place.isCheckpoint {
            attachRarely(derived, through: sink)
            return
        }
        guard let edit = beginEdit() else {
            attachLater(derived, through: sink)
            return
        }
        if isTerminated {
            endEdit(edit)
            SignalCore.interrupt(sink)
            return
        }
        place(derived, through: sink)
        endEdit(edit)
    }

    // MARK: The rare cases, not inlined, so that the others don't keep a sink alive for them

    /// Interrupts a derived signal, or adds one at which the stack is checked.
    @inlinable
    @inline(never)
    func attachRarely(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        if isTerminated {
            sink.onTermination(.interrupted)
        } else {
            derived.place = derived.place.below
            attach(derived, through: sink.requiringStack)
        }
    }

    /// Interrupts an observer, or adds the first one of a signal that holds values for it.
    @inlinable
    @inline(never)
    func observeRarely(_ sink: consuming Sink<Value, Error>) -> Observation? {
        if isTerminated {
            SignalCore.interrupt(sink)
            return nil
        }
        let observation = Observation(of: self)
        let strand = root.strand
        let sink = consume sink
        if let owned = strand.enter() {
            observeWhileHolding(sink, observation)
            strand.leave(owned)
        } else {
            strand.enqueueObserving { self.observeWhileHolding(sink, observation) }
        }
        return observation
    }

    /// Called by the owner of the strand at the start of the chain.
    @inlinable
    func observeWhileHolding(_ sink: Sink<Value, Error>, _ observation: Observation) {
        if observation.isDisposed { return }
        if withState({ add(sink, observation) }) {
            endHolding(for: observation)
        } else {
            sink.onTermination(.interrupted)
        }
    }

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
        if isTerminated {
            observation.end()
            return false
        }
        place(sink, observation)
        return true
    }

    @inlinable @inline(__always)
    func place(_ sink: consuming Sink<Value, Error>, _ observation: Observation) {
        let slot = unsafe observers.insert(sink, .passRetained(observation))
        observation.slot = slot
        noteInsertion(slot)
    }

    @inlinable @inline(__always)
    func place(_ derived: SignalState, through sink: consuming Sink<Value, Error>) {
        let slot = unsafe observers.insert(sink, nil)
        derived.place.slot = slot
        noteInsertion(slot)
    }

    /// Notes whether there are several observers now.
    @inlinable @inline(__always)
    func noteInsertion(_ slot: UInt64) {
        let before = place
        let next = before.inserting(slot)
        // relaxed: as all stores of it.
        if next.bits != before.bits { placeWord.store(next, .relaxed) }
    }
}
