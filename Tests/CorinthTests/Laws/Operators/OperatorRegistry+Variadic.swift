import Corinth

extension OperatorRegistry {
    /// The operators on two to ten sources, and on sequences of sources.
    mutating func addVariadic() {
        addSequences()
        addCombineLatest()
        addZip()
        addMerge()
    }

    /// An operator on a source and `count` others, without labels.
    private mutating func add(
        _ name: String, on count: Int, _ facts: OperatorEntry.Facts,
        signal: (@Sendable (Stream, [Stream]) -> Stream)? = nil,
        producer: @escaping @Sendable (StreamProducer, [StreamProducer]) -> StreamProducer
    ) {
        var onSignal: (@Sendable (Stream, HarnessInputs) -> Stream)?
        if let signal { onSignal = { signal($0, $1.signals) } }
        add(
            "\(name)(\(String(repeating: "_:", count: count + 1)))", others: count, facts, signal: onSignal,
            producer: { producer($0, $1.producers) })
    }

    private mutating func addSequences() {
        add(
            "combineLatest(_:)", others: 2, [.waitsForOther, .outlives],
            signal: { s, b in Stream.combineLatest([s] + b.signals).map { $0[0] } },
            producer: { p, b in StreamProducer.combineLatest([p] + b.producers).map { $0[0] } })
        add(
            "combineLatest(_:emptySentinel:)", others: 2, [.waitsForOther, .outlives],
            producer: { p, b in StreamProducer.combineLatest([p] + b.producers, emptySentinel: []).map { $0[0] } })
        add(
            "zip(_:)", others: 2, [.mayWait, .outlives],
            signal: { s, b in Stream.zip([s] + b.signals).map { $0[0] } },
            producer: { p, b in StreamProducer.zip([p] + b.producers).map { $0[0] } })
        add(
            "zip(_:emptySentinel:)", others: 2, [.mayWait, .outlives],
            producer: { p, b in StreamProducer.zip([p] + b.producers, emptySentinel: []).map { $0[0] } })
        add(
            "merge(_:)", "sequence", others: 2, [.treatsInterruptionAsCompletion, .outlives],
            signal: { s, b in Stream.merge([s] + b.signals) },
            producer: { p, b in StreamProducer.merge([p] + b.producers) })
        add(
            "merge(_:)", "variadic", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            signal: { s, b in Stream.merge(s, b.signals[0]) },
            producer: { p, b in StreamProducer.merge(p, b.producers[0]) })
        add(
            "merge(ordered:bufferingPolicy:statistics:by:)", others: 2, [.mayWait, .outlives, .fansOut],
            signal: { s, b in
                Stream.merge(
                    ordered: [s] + b.signals, bufferingPolicy: .dropOldest(capacity: 2), by: b.hook { $0 < $1 })
            },
            producer: { p, b in
                StreamProducer.merge(
                    ordered: [p] + b.producers, bufferingPolicy: .dropOldest(capacity: 2), by: b.hook { $0 < $1 })
            })
        add(
            "merge(ordered:bufferingPolicy:statistics:)", others: 1, [.mayWait, .outlives, .fansOut],
            signal: { s, b in Stream.merge(ordered: [s] + b.signals) },
            producer: { p, b in StreamProducer.merge(ordered: [p] + b.producers) })
    }

    private mutating func addCombineLatest() {
        let facts: OperatorEntry.Facts = [.waitsForOther, .outlives]
        add(
            "combineLatest", on: 1, facts,
            signal: { Stream.combineLatest($0, $1[0]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0]).map { $0.0 } })
        add(
            "combineLatest", on: 2, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0], $1[1]).map { $0.0 } })
        add(
            "combineLatest", on: 3, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0], $1[1], $1[2]).map { $0.0 } })
        add(
            "combineLatest", on: 4, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3]).map { $0.0 } })
        add(
            "combineLatest", on: 5, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4]).map { $0.0 } })
        add(
            "combineLatest", on: 6, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5]).map { $0.0 } },
            producer: { StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5]).map { $0.0 } })
        add(
            "combineLatest", on: 7, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6]).map { $0.0 } },
            producer: {
                StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6]).map { $0.0 }
            })
        add(
            "combineLatest", on: 8, facts,
            signal: { Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7]).map { $0.0 } },
            producer: {
                StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7]).map { $0.0 }
            })
        add(
            "combineLatest", on: 9, facts,
            signal: {
                Stream.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7], $1[8]).map { $0.0 }
            },
            producer: {
                StreamProducer.combineLatest($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7], $1[8])
                    .map { $0.0 }
            })
    }

    private mutating func addZip() {
        let facts: OperatorEntry.Facts = [.mayWait, .outlives]
        add(
            "zip", on: 1, facts,
            signal: { Stream.zip($0, $1[0]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0]).map { $0.0 } })
        add(
            "zip", on: 2, facts,
            signal: { Stream.zip($0, $1[0], $1[1]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1]).map { $0.0 } })
        add(
            "zip", on: 3, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2]).map { $0.0 } })
        add(
            "zip", on: 4, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3]).map { $0.0 } })
        add(
            "zip", on: 5, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4]).map { $0.0 } })
        add(
            "zip", on: 6, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5]).map { $0.0 } })
        add(
            "zip", on: 7, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6]).map { $0.0 } })
        add(
            "zip", on: 8, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7]).map { $0.0 } },
            producer: { StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7]).map { $0.0 } })
        add(
            "zip", on: 9, facts,
            signal: { Stream.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7], $1[8]).map { $0.0 } },
            producer: {
                StreamProducer.zip($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7], $1[8]).map { $0.0 }
            })
    }

    private mutating func addMerge() {
        let facts: OperatorEntry.Facts = [.treatsInterruptionAsCompletion, .outlives]
        add("merge", on: 1, facts, producer: { StreamProducer.merge($0, $1[0]) })
        add("merge", on: 2, facts, producer: { StreamProducer.merge($0, $1[0], $1[1]) })
        add("merge", on: 3, facts, producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2]) })
        add("merge", on: 4, facts, producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3]) })
        add("merge", on: 5, facts, producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3], $1[4]) })
        add("merge", on: 6, facts, producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5]) })
        add(
            "merge", on: 7, facts,
            producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6]) })
        add(
            "merge", on: 8, facts,
            producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7]) })
        add(
            "merge", on: 9, facts,
            producer: { StreamProducer.merge($0, $1[0], $1[1], $1[2], $1[3], $1[4], $1[5], $1[6], $1[7], $1[8]) })
    }
}
