/// The serialising input of one start, for sources that may send from any thread: a strand in front of the pipeline.
///
/// Disposing of it interrupts the stream there. What it holds is disposed of after the end, however that came, and whatever
/// is still to happen downstream.
@usableFromInline
final class ProducerInput<Value, Error: Swift.Error>: Disposable, @unchecked Sendable {  // Atomic and immutable.
    /// An ``EndMark``. Atomic, so that disposing of what has ended needs no strand. Written by the strand's owner.
    @usableFromInline var terminatedStorage: UInt64 = 0

    @usableFromInline let strand: Strand
    @usableFromInline let sink: Sink<Value, Error>
    @usableFromInline let run: ProducerRun

    /// What ends with the source.
    @usableFromInline let resources = CompositeDisposable()

    /// Takes this out of the run, which may go on with another source. Written before others know of this.
    @safe @exclusivity(unchecked)
    @usableFromInline var handle: (any Disposable)?

    /// An input that sends to `sink` until `run` ends.
    @inlinable
    init(to sink: Sink<Value, Error>, in run: ProducerRun) {
        strand = Strand()
        self.sink = sink
        self.run = run
        run.resources.add(self) { handle = $0 }
    }

    /// An input that belongs to no start: nothing ends it but what is sent.
    @inlinable
    init(to sink: Sink<Value, Error>) {
        strand = Strand()
        self.sink = sink
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
        // relaxed: who needs to know for certain owns the strand.
        @inline(__always)
        get { terminated.load(.relaxed) & EndMark.ended != 0 }
    }

    @inlinable
    var terminated: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if strand.tryEnterToSend() {
            receive(value)
            strand.leave()
        } else {
            strand.queue(value, for: self) { input, value in input.receive(value) }
        }
    }

    /// Sends, unless the value would have to wait and finds no place.
    @inlinable
    func trySend(_ value: Value) -> Bool {
        strand.tryPerform(on: self, with: value) { input, value in
            input.receive(value)
        } queued: { input, value in
            input.receive(value)
        }
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<Error>) {
        // An observer that goes after the end, for one.
        if isTerminated { return }
        if case .interrupted = termination {
            interrupt()
        } else {
            // An end waits for nothing. What others have queued meanwhile is delivered here, as behind a value: a stream that this
            // one makes room for may have to be started on this thread.
            Strand.withoutWaiting {
                if strand.tryEnter() {
                    terminate(termination)
                    strand.leave()
                } else {
                    // relaxed: a hint, but for this thread. An interruption that comes later doesn't overtake this.
                    _ = terminated.compareExchange(0, EndMark.ending, .relaxed)
                    strand.enqueueAtOnce(
                        InputNode(termination, for: self) { input, termination in input.terminate(termination) })
                }
            }
        }
    }

    /// Interrupts as soon as the event in progress is through: what waits in front of the interruption is dropped.
    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { input, _ in
            input.terminate(.interrupted)
        } orQueueAfter: { input in
            // relaxed: a hint, but for this thread. Of two ends, the first one counts.
            if input.terminated.compareExchange(0, EndMark.interrupting, .relaxed).won {
                input.strand.cancelStops()
            }
        }
    }

    /// Passes a value on. Called by the owner of the strand. What was queued before the start was disposed of is dropped
    /// (law E7): the interruption is next.
    @inlinable @inline(__always)
    func receive(_ value: Value) {
        // relaxed: as in `isTerminated`.
        let isOver = terminated.load(.relaxed) & (EndMark.ended | EndMark.interrupting) != 0
        if !isOver, !run.isDisposed { sink.onValue(value) } else { Probe.drop(strand) }
    }

    /// Passes the end on, once. Called by the owner of the strand.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        if isTerminated { return }
        terminated.store(EndMark.ended, .relaxed)
        Trampoline.release(self)
        let outer = Ending.begin(run)
        sink.onTermination(termination)
        resources.dispose()
        handle?.dispose()
        Ending.end(outer)
    }

    /// Passes on what a signal sends.
    @inlinable
    func follow(_ signal: Signal<Value, Error>) {
        resources.add(signal.observe(into: Sink(value: { self.send($0) }, termination: { self.send($0) })))
    }

    /// What the generator sends to. It interrupts the start when it is let go of.
    @inlinable
    func makeObserver() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer(
            input: Sink(value: { self.send($0) }, termination: { self.send($0) }), trying: { self.trySend($0) })
    }
}
