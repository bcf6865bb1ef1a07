/// The serialising input of one start, for sources that may send from any thread: a strand in front of the pipeline.
///
/// Disposing of it interrupts the stream there. What it holds is disposed of after the end, however that came, and whatever
/// is still to happen downstream.
@usableFromInline
final class ProducerInput<Value, Error: Swift.Error>: Disposable, @unchecked Sendable {  // Atomic and immutable.
    /// Atomic, so that disposing of what has ended needs no strand. Written by the strand's owner.
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
        strand.performAtOnce(on: self, with: ()) { input, _ in input.terminate(.interrupted) }
    }

    @inlinable
    var isTerminated: Bool {
        // relaxed: who needs to know for certain owns the strand.
        @inline(__always)
        get { AtomicWord(of: self).load(.relaxed) != 0 }
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

    @inlinable
    @inline(never)
    func send(_ termination: Termination<Error>) {
        strand.perform(on: self, with: termination) { input, termination in input.terminate(termination) }
    }

    /// Passes a value on. Called by the owner of the strand. What was queued before the start was disposed of is dropped
    /// (law E7): the interruption is next.
    @inlinable @inline(__always)
    func receive(_ value: Value) {
        if !isTerminated, !run.isDisposed { sink.onValue(value) } else { Probe.drop(strand) }
    }

    /// Passes the end on, once. Called by the owner of the strand.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        if isTerminated { return }
        AtomicWord(of: self).store(1, .relaxed)
        sink.onTermination(termination)
        resources.dispose()
        handle?.dispose()
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
            sink: Sink(value: { self.send($0) }, termination: { self.send($0) }), interruptsOnDeinit: true)
    }
}
