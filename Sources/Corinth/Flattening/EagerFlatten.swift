/// Runs inner streams at once, and passes their values on as if they had run one after the other: the strategy `concatEager`.
@usableFromInline
final class EagerFlatten<Next: Receiver>: QueuingFlatten<Next>, @unchecked Sendable {  // As its superclass.
    /// An inner stream that runs, or that has ended and whose values have not had their turn.
    @usableFromInline
    final class Lane {
        /// Values that are held back.
        @safe @exclusivity(unchecked) @usableFromInline var values: Buffer<Next.Value>
        @safe @exclusivity(unchecked) @usableFromInline var isCompleted = false

        @inlinable
        init(_ bound: BufferBound, counting statistics: BufferStatistics?) {
            values = Buffer(bound, counting: statistics)
        }
    }

    /// In the order in which they came: values of the first are passed on. Owned by whoever owns the strand, as what follows.
    @safe @exclusivity(unchecked)
    @usableFromInline var lanes = Fifo<Lane>()

    @safe @exclusivity(unchecked)
    @usableFromInline var first: Lane?

    @inlinable
    override init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        super.init(output, limit: limit, buffering)
    }

    /// Takes a stream in. Called where the outer stream delivers. It is started as in ``ConcurrentFlatten/admit(_:)``.
    ///
    /// As ``Admission`` has it, one runs until its values have had their turn.
    @inlinable
    func admit(_ inner: Inner) {
        if !takeIn(inner) { return }
        let lane = makeLane()
        strand.perform(on: self, with: lane) { flatten, lane in
            flatten.countPassed()
            if !flatten.isTerminated { flatten.open(lane) }
        }
        start(inner, lane)
    }

    @inlinable
    func makeLane() -> Lane { Lane(bound, counting: statistics) }

    @inlinable
    func open(_ lane: Lane) {
        if first == nil { first = lane } else { lanes.append(lane) }
    }

    @inlinable
    func start(_ inner: Inner, _ lane: Lane) {
        Trampoline.run(on: self, with: (inner, lane)) { flatten, input in
            let strand = flatten.strand
            let lane = input.1
            flatten.begin(
                input.0,
                value: { value, _ in
                    if strand.tryEnter() {
                        flatten.receive(value, in: lane)
                        strand.leave()
                    } else {
                        strand.queue((value, lane), for: flatten) { $0.receive($1.0, in: $1.1) }
                    }
                },
                termination: { termination, _ in flatten.end(termination, of: lane) })
        }
    }

    @inlinable
    func receive(_ value: Next.Value, in lane: Lane) {
        if isTerminated { return }
        if lane === first {
            next.receive(value)
        } else if lane.values.append(value) != nil, let failure {
            fail(failure)
        }
    }

    @usableFromInline
    override func dropWaiting() {
        super.dropWaiting()
        first = nil
        while let lane = lanes.popFirst() { lane.values.dropAll() }
    }

    /// An inner stream has ended.
    @inlinable
    func end(_ termination: Termination<Next.Error>, of lane: Lane) {
        if strand.tryEnter() {
            let starts = settle(termination, of: lane)
            strand.leave()
            for (inner, lane) in starts { start(inner, lane) }
        } else {
            strand.queue((termination, lane), for: self) { flatten, input in
                for (inner, lane) in flatten.settle(input.0, of: input.1) { flatten.start(inner, lane) }
            }
        }
    }

    /// Lets the lanes that are through go, and returns the streams that are to be started in their place.
    @inlinable
    func settle(_ termination: Termination<Next.Error>, of lane: Lane) -> [(Inner, Lane)] {
        if isTerminated { return [] }
        if case .failed(let error) = termination {
            fail(error)
            return []
        }
        lane.isCompleted = true
        var starts: [(Inner, Lane)] = []
        while let head = first, head.isCompleted {
            first = lanes.popFirst()
            while let value = first?.values.popFirst() { next.receive(value) }
            if let inner = takeTurn() {
                let lane = makeLane()
                open(lane)
                starts.append((inner, lane))
            }
        }
        completeIfDone()
        return starts
    }

    @inlinable
    func completeIfDone() {
        if isOuterCompleted, first == nil { terminate(.completed) }
    }
}
