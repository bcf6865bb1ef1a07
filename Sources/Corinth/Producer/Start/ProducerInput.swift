/// The serialising input of one start: a strand before the pipeline. For sources that may send from any thread.
///
/// Disposal interrupts the stream at this input. After any termination, its resources are disposed of, even if downstream
/// stages still have events to deliver.
@usableFromInline
final class ProducerInput<Value, Error: Swift.Error>: Disposable, @unchecked Sendable {  // Atomic and immutable.
    /// Atomic, so that disposing after the end needs no strand. Only the strand's owner writes ``EndMark/ended``.
    @usableFromInline let end = AtomicState<EndMark>(.open)

    @usableFromInline let strand: Strand

    /// Released at the end, even if the start handler has kept its observer. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var sink: HeldSink<Value, Error>

    @usableFromInline let run: ProducerRun

    /// Disposed of when the source ends.
    @usableFromInline let resources = CompositeDisposable()

    /// What the run has given for this, which releases it: the run may continue with another source. Written before this is
    /// shared.
    @safe @exclusivity(unchecked)
    @usableFromInline var entry: CompositeEntry?

    /// An input that sends to `sink` until `run` ends.
    @inlinable
    init(to sink: Sink<Value, Error>, in run: ProducerRun, through strand: Strand = Strand()) {
        self.strand = strand
        self.sink = HeldSink(sink)
        self.run = run
        run.hold(self) { entry = $0 }
    }

    /// An input that belongs to no start. Only a termination that is sent ends it.
    @inlinable
    init(to sink: Sink<Value, Error>) {
        strand = Strand()
        self.sink = HeldSink(sink)
        run = ProducerRun()
    }

    @usableFromInline
    var isDisposed: Bool { resources.isDisposed }

    @inlinable
    func dispose() {
        if isTerminated { return }
        interrupt()
    }

    @inlinable
    var isTerminated: Bool {
        // relaxed: a caller that needs a reliable answer owns the strand.
        @inline(__always)
        get { end.load(.relaxed).isEnded }
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if let owned = strand.enterToSend() {
            receive(value)
            strand.leave(owned)
        } else {
            queue(value)
        }
    }

    /// Queues a value, unless it would be dropped.
    @inlinable
    @inline(never)
    func queue(_ value: Value) {
        if dropsQueued { return Probe.drop(strand) }
        strand.queue(value, for: self) { input, value in input.receive(value) }
    }

    /// Whether queued values are dropped: after an interruption, and after the start has been disposed of (law E7).
    @inlinable
    var dropsQueued: Bool {
        // relaxed: a caller that needs a reliable answer owns the strand.
        @inline(__always)
        get { end.load(.relaxed).dropsQueued || run.isDisposed }
    }

    @inlinable
    func carryOut(_ request: InputRequest<Value, Error>) -> SendAttempt {
        switch request {
        case .send(let value, let mode): return trySend(value, mode)
        case .terminate(let termination):
            send(termination)
            return .sent
        }
    }

    /// Sends a value. Refuses it if it would have to be queued and there is no permit.
    @inlinable
    func trySend(_ value: Value, _ mode: SendMode) -> SendAttempt {
        if dropsQueued {
            Probe.drop(strand)
            return .sent
        }
        return strand.tryPerform(mode, receive(value), orQueue: InputNode(value, for: self) { $0.receive($1) })
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<Error>) {
        // For example, an observer that is released after the end.
        if isTerminated { return }
        if case .interrupted = termination {
            interrupt()
        } else {
            // A termination never waits. As after a value, this thread delivers events that other threads have queued: it
            // may have to start a stream that waits for this end.
            Strand.withoutWaiting {
                if let owned = strand.enter() {
                    terminate(termination)
                    strand.leave(owned)
                } else {
                    // relaxed: a hint for other threads. A later interruption doesn't overtake this termination.
                    _ = end.tryUpdate(from: .open, .relaxed) { $0.queuingEnd() }
                    strand.enqueue(
                        InputNode(termination, for: self) { input, termination in input.terminate(termination) },
                        .atOnce)
                }
            }
        }
    }

    /// Interrupts after the event in progress. Drops queued events.
    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { input, _ in
            input.terminate(.interrupted)
        } orQueueAfter: { input in
            // relaxed: a hint for other threads. Of two terminations, the first one wins.
            if input.end.tryUpdate(from: .open, .relaxed, { $0.queuingInterruption() }).won {
                input.strand.endWaits()
            }
        }
    }

    /// Forwards the termination, once. Called by the strand's owner.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        if isTerminated { return }
        end.store(.ended, .relaxed)
        Trampoline.release(self)
        PlainAccess.write(self)
        sink.onTermination(termination)
        resources.dispose()
        run.release(entry)
        // No event is in progress: an end that is sent from inside a value's callback is queued behind it.
        sink = HeldSink()
    }

    /// Forwards the events of a signal.
    @inlinable
    func follow(_ signal: Signal<Value, Error>) {
        resources.add(signal.observe(into: Sink(value: { self.send($0) }, termination: { self.send($0) })))
    }

    /// An observer for the start handler. It interrupts the start when it is released.
    @inlinable
    func makeObserver() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Input(value: { self.send($0) }, requests: { self.carryOut($0) })
    }
}

extension ProducerInput {
    /// Forwards a value. Called by the strand's owner.
    // Transparent, so that it takes no stack without optimisation either.
    @_transparent @usableFromInline
    func receive(_ value: Value) {
        if !dropsQueued {
            PlainAccess.read(self)
            sink.receive(value)
        } else {
            Probe.drop(strand)
        }
    }
}
