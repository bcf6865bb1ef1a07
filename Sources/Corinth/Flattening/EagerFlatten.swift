/// The strategy `concatEager`: runs inner streams concurrently, and sends their values as if they had run one after another.
@usableFromInline
final class EagerFlatten<Next: Receiver>: QueuingFlatten<Next>, InnerStage,
    @unchecked Sendable  // As its superclass.
{
    @usableFromInline typealias InnerValue = Next.Value
    @usableFromInline typealias Context = InnerBuffer

    /// The state of an inner stream that runs, or whose values have not been sent.
    @usableFromInline
    final class InnerBuffer {
        /// Values that wait for earlier streams.
        @safe @exclusivity(unchecked) @usableFromInline var values: Buffer<Next.Value>
        @safe @exclusivity(unchecked) @usableFromInline var isCompleted = false

        @inlinable
        init(_ bound: BufferBound, counting statistics: BufferStatistics?) {
            values = Buffer(bound, counting: statistics)
        }
    }

    /// The streams after `first`, in the order in which they may run. Guarded by the flag, so a stream takes its place when it
    /// is counted as running: the thread that sends a stream and the one that replaces an earlier stream may differ, and the
    /// strand would put them in the order in which they reach it.
    @safe @exclusivity(unchecked)
    @usableFromInline var buffers = Deque<InnerBuffer>()

    /// The stream whose values are sent at once, as far as the strand's owner has seen it. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var first: InnerBuffer?

    @inlinable
    override init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        super.init(output, limit: limit, buffering)
    }

    /// Accepts a stream. Called where the outer stream delivers. See ``ConcurrentFlatten/admit(_:)`` for its start.
    ///
    /// ``Admission`` counts a stream as running until its values have been sent.
    @inlinable
    func admit(_ inner: Inner) {
        while !admission.isFree(limit: limit) {
            if putOff(inner) { return }
        }
        let buffer = makeBuffer()
        let held = flag.acquire()
        _ = admission.start(limit: limit)
        if !isClosed { buffers.append(buffer) }
        flag.release(held)
        if statistics != nil { strand.perform(on: self, with: ()) { flatten, _ in flatten.countPassed() } }
        start(inner, buffer)
    }

    @inlinable
    func makeBuffer() -> InnerBuffer { InnerBuffer(bound, counting: statistics) }

    /// The first stream that has not ended, or whose values have not been sent. Called by the strand's owner.
    @inlinable
    func head() -> InnerBuffer? {
        if first == nil {
            let held = flag.acquire()
            first = buffers.popFirst()
            flag.release(held)
        }
        return first
    }

    /// The stream that replaces one that has ended, with its buffer. nil if none waits.
    @inlinable
    func takeTurnInOrder() -> (Inner, InnerBuffer)? {
        if admission.finish() { return nil }
        let buffer = makeBuffer()
        return takeWaiting { buffers.append(buffer) }.map { ($0, buffer) }
    }

    @inlinable
    func start(_ inner: Inner, _ buffer: InnerBuffer) {
        Trampoline.run(on: self, with: (inner, buffer)) { flatten, input in
            let run = InnerRun(in: flatten, input.1, until: flatten.resources)
            run.begin(input.0) { value in
                run.stage.send((value, run), to: run.stage, run.stage.receive(value, in: run.context)) {
                    $0.receive($1.0, in: $1.1.context)
                }
            }
        }
    }

    @inlinable
    func finish(_ termination: Termination<Next.Error>, of run: InnerRun<EagerFlatten>) {
        end(termination, of: run.context)
    }

    @inlinable
    func receive(_ value: Next.Value, in buffer: InnerBuffer) {
        if isTerminated { return }
        if buffer === first || buffer === head() {
            next.receive(value)
        } else if buffer.values.append(value) != nil, let failure {
            fail(failure)
        }
    }

    @usableFromInline
    override func dropWaiting() {
        super.dropWaiting()
        let held = flag.acquire()
        var dropped = buffers
        buffers = Deque()
        flag.release(held)
        // Released while the flag isn't held, because the release may run user code.
        first?.values.dropAll()
        first = nil
        while let buffer = dropped.popFirst() { buffer.values.dropAll() }
    }

    /// Handles the end of an inner stream.
    @inlinable
    func end(_ termination: Termination<Next.Error>, of buffer: InnerBuffer) {
        if let owned = strand.enter() {
            let starts = finish(termination, of: buffer)
            strand.leave(owned)
            for (inner, buffer) in starts { start(inner, buffer) }
        } else {
            strand.queue((termination, buffer), for: self) { flatten, input in
                for (inner, buffer) in flatten.finish(input.0, of: input.1) { flatten.start(inner, buffer) }
            }
        }
    }

    /// Removes the completed buffers at the head. Returns the streams to start in their place.
    @inlinable
    func finish(_ termination: Termination<Next.Error>, of buffer: InnerBuffer) -> [(Inner, InnerBuffer)] {
        if isTerminated { return [] }
        if case .failed(let error) = termination {
            fail(error)
            return []
        }
        buffer.isCompleted = true
        var starts: [(Inner, InnerBuffer)] = []
        while let head = head(), head.isCompleted {
            first = nil
            while let value = self.head()?.values.popFirst() { next.receive(value) }
            if let turn = takeTurnInOrder() { starts.append(turn) }
        }
        completeIfDone()
        return starts
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, head() == nil { terminate(.completed) }
    }
}
