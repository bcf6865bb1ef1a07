import Corinth

extension OperatorRegistry {
    /// The operators on two to ten sources, and on sequences of sources.
    mutating func addVariadic() {
        addSequences()
        addCombineLatest()
        addZip()
        addMerge()
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
    }

    private mutating func addCombineLatest() {
        add(
            "combineLatest(_:_:)", others: 1, [.waitsForOther, .outlives],
            signal: { s, b in Stream.combineLatest(s, b.signals[0]).map { $0.0 } },
            producer: { p, b in StreamProducer.combineLatest(p, b.producers[0]).map { $0.0 } })
        add(
            "combineLatest(_:_:_:)", others: 2, [.waitsForOther, .outlives],
            signal: { s, b in Stream.combineLatest(s, b.signals[0], b.signals[1]).map { $0.0 } },
            producer: { p, b in StreamProducer.combineLatest(p, b.producers[0], b.producers[1]).map { $0.0 } })
        add(
            "combineLatest(_:_:_:_:)", others: 3, [.waitsForOther, .outlives],
            signal: { s, b in Stream.combineLatest(s, b.signals[0], b.signals[1], b.signals[2]).map { $0.0 } },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:)", others: 4, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:_:)", others: 5, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:_:_:)", others: 6, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:_:_:_:)", others: 7, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:_:_:_:_:)", others: 8, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6], b.signals[7]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6], b.producers[7]
                ).map { $0.0 }
            })
        add(
            "combineLatest(_:_:_:_:_:_:_:_:_:_:)", others: 9, [.waitsForOther, .outlives],
            signal: { s, b in
                Stream.combineLatest(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6], b.signals[7], b.signals[8]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.combineLatest(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6], b.producers[7], b.producers[8]
                ).map { $0.0 }
            })
    }

    private mutating func addZip() {
        add(
            "zip(_:_:)", others: 1, [.mayWait, .outlives],
            signal: { s, b in Stream.zip(s, b.signals[0]).map { $0.0 } },
            producer: { p, b in StreamProducer.zip(p, b.producers[0]).map { $0.0 } })
        add(
            "zip(_:_:_:)", others: 2, [.mayWait, .outlives],
            signal: { s, b in Stream.zip(s, b.signals[0], b.signals[1]).map { $0.0 } },
            producer: { p, b in StreamProducer.zip(p, b.producers[0], b.producers[1]).map { $0.0 } })
        add(
            "zip(_:_:_:_:)", others: 3, [.mayWait, .outlives],
            signal: { s, b in Stream.zip(s, b.signals[0], b.signals[1], b.signals[2]).map { $0.0 } },
            producer: { p, b in StreamProducer.zip(p, b.producers[0], b.producers[1], b.producers[2]).map { $0.0 } })
        add(
            "zip(_:_:_:_:_:)", others: 4, [.mayWait, .outlives],
            signal: { s, b in Stream.zip(s, b.signals[0], b.signals[1], b.signals[2], b.signals[3]).map { $0.0 } },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3]
                ).map { $0.0 }
            })
        add(
            "zip(_:_:_:_:_:_:)", others: 5, [.mayWait, .outlives],
            signal: { s, b in
                Stream.zip(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4]
                ).map { $0.0 }
            })
        add(
            "zip(_:_:_:_:_:_:_:)", others: 6, [.mayWait, .outlives],
            signal: { s, b in
                Stream.zip(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5]
                ).map { $0.0 }
            })
        add(
            "zip(_:_:_:_:_:_:_:_:)", others: 7, [.mayWait, .outlives],
            signal: { s, b in
                Stream.zip(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6]
                ).map { $0.0 }
            })
        add(
            "zip(_:_:_:_:_:_:_:_:_:)", others: 8, [.mayWait, .outlives],
            signal: { s, b in
                Stream.zip(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6], b.signals[7]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6], b.producers[7]
                ).map { $0.0 }
            })
        add(
            "zip(_:_:_:_:_:_:_:_:_:_:)", others: 9, [.mayWait, .outlives],
            signal: { s, b in
                Stream.zip(
                    s, b.signals[0], b.signals[1], b.signals[2], b.signals[3], b.signals[4], b.signals[5],
                    b.signals[6], b.signals[7], b.signals[8]
                ).map { $0.0 }
            },
            producer: { p, b in
                StreamProducer.zip(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3], b.producers[4], b.producers[5],
                    b.producers[6], b.producers[7], b.producers[8]
                ).map { $0.0 }
            })
    }

    private mutating func addMerge() {
        add(
            "merge(_:_:)", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in StreamProducer.merge(p, b.producers[0]) })
        add(
            "merge(_:_:_:)", others: 2, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in StreamProducer.merge(p, b.producers[0], b.producers[1]) })
        add(
            "merge(_:_:_:_:)", others: 3, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in StreamProducer.merge(p, b.producers[0], b.producers[1], b.producers[2]) })
        add(
            "merge(_:_:_:_:_:)", others: 4, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                )
            })
        add(
            "merge(_:_:_:_:_:_:)", others: 5, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                    b.producers[4])
            })
        add(
            "merge(_:_:_:_:_:_:_:)", others: 6, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                    b.producers[4], b.producers[5])
            })
        add(
            "merge(_:_:_:_:_:_:_:_:)", others: 7, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                    b.producers[4], b.producers[5], b.producers[6])
            })
        add(
            "merge(_:_:_:_:_:_:_:_:_:)", others: 8, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                    b.producers[4], b.producers[5], b.producers[6], b.producers[7])
            })
        add(
            "merge(_:_:_:_:_:_:_:_:_:_:)", others: 9, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in
                StreamProducer.merge(
                    p, b.producers[0], b.producers[1], b.producers[2], b.producers[3],
                    b.producers[4], b.producers[5], b.producers[6], b.producers[7], b.producers[8])
            })
    }
}
