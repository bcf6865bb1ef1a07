#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// The interleavings of a few threads on strands that are biased, each time a thread leaves one.
    @Suite("Strand, biased", .serialized)
    struct StrandBiasExplorationTests {
        @Test func `E2, E4: a thread that has a bias, and one that takes it back, in every order`() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, isBiased: true)) { senders(["A": 2, "B": 1], $0) }
            expectSound(Bounds(preemptions: 3, isBiased: true), reaching: [.oldValue]) {
                senders(["A": 2, "B": 1], $0)
            }
        }

        @Test
        func `E2, E4: two threads that take the bias from each other, also one that is suspended before its mark`() {
            expectSound(Bounds(preemptions: 3, isBiased: true), reaching: [.oldValue]) {
                senders(["A": 2, "B": 2], $0)
            }
        }

        @Test func `E2, E4: one bias, two takers`() {
            expectSound(Bounds(preemptions: 2, isBiased: true)) { senders(["A": 2, "B": 1, "C": 1], $0) }
        }

        @Test func `E5: a thread gives its own bias up for an event that it sends during a delivery, and gets it back`()
        {
            expectSound(Bounds(preemptions: nil, oldReads: 0, isBiased: true)) { reentrantSender($0) }
            expectSound(Bounds(preemptions: 3, isBiased: true)) { reentrantSender($0, before: 1, after: 1) }
        }

        @Test func `Changes of the observers take a bias back, and lose it`() {
            expectSound(Bounds(preemptions: 3, spinning: 0, isBiased: true)) { editBesideSender($0) }
        }

        @Test func `A thread that leaves at once delivers no other thread's events, and loses none`() {
            expectSound(Bounds(preemptions: 3, oldReads: 0, spinning: 0, isBiased: true)) { endBesideSender($0) }
        }

        @Test func `A strand that was biased is handed over`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, helping: 1, isBiased: true), reaching: [.worker]
            ) {
                senders(["A": 2, "B": 3], $0)
            }
        }

        @Test func `X2: threads that wait for capacity while the bias is taken back`() {
            expectSound(
                Bounds(preemptions: 2, oldReads: 0, delayedStores: 0, spinning: 0, isBiased: true), reaching: [.sleep]
            ) {
                senders(["A": 3, "B": 2], capacity: 1, $0)
            }
        }

        @Test(arguments: WayIn.allCases)
        func `E5: a thread that comes without a try to a strand that is biased to it, while another one takes the bias`(
            _ way: WayIn
        ) {
            for deed in Deed.allCases {
                expectSound(Bounds(preemptions: 2, isBiased: true), title: "fromOutside(\(way), \(deed))") {
                    scenario in
                    let strand = Strand(capacity: 4)
                    let deliveries = Deliveries(scenario)
                    scenario.watch(strand)
                    scenario.thread("A") {
                        // The first thread gets the bias.
                        strand.send(Sent(sender: "A", number: 1), to: deliveries)
                        way.enter(strand) { deliveries.deliver(Sent(sender: "A", number: 2)) }
                    }
                    scenario.thread("B") { deed.carryOut(on: strand, deliveries, as: "B") }
                    scenario.finally { deliveries.expectAll(["A": 2, "B": deed.events]) }
                }
            }
        }

        @Test(arguments: [Deed.sends, .sendsFromInside, .edits, .leavesAtOnce])
        func `X1: a signal handler sends to the stream that its thread uses, at every moment`(_ deed: Deed) {
            for isBiased in [true, false] {
                // A handler doesn't wait for the end of the edit that it interrupts. Without old reads: they would be of addresses of
                // nodes, which differ from run to run, and the handler's thread sees its own writes.
                let bounds = Bounds(
                    preemptions: 2, oldReads: 0, delayedStores: 0, spinning: 0, isBiased: isBiased)
                expectSound(bounds, title: "interrupted(\(deed), \(isBiased ? "biased" : "unbiased"))") { scenario in
                    let strand = Strand()
                    let deliveries = Deliveries(scenario)
                    var sent = ["A": 1 + deed.events, "B": 1]
                    scenario.watch(strand)
                    scenario.thread("A") {
                        strand.send(Sent(sender: "A", number: 1), to: deliveries)
                        deed.carryOut(on: strand, deliveries, as: "A", from: 2)
                    }
                    scenario.interrupt("A") {
                        sent["handler"] = 1
                        strand.send(Sent(sender: "handler", number: 1), to: deliveries)
                    }
                    scenario.thread("B") { strand.send(Sent(sender: "B", number: 1), to: deliveries) }
                    scenario.finally { deliveries.expectAll(sent) }
                }
            }
        }

        @Test func `E5: two strands that send to each other`() {
            expectSound(Bounds(preemptions: 2, oldReads: 0, delayedStores: 0, spinning: 0, isBiased: true)) {
                mutualSenders($0, rounds: 2)
            }
        }
    }

    /// Seeded bugs in the protocol of a bias. The explorations must find each of them.
    @Suite("Strand, biased, seeded bugs", .serialized)
    struct StrandBiasMutantTests {
        @Test(arguments: [
            Mutation(site: "tryEnterByBias(_:namesOwner:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "tryEnterByBias(_:namesOwner:)", operation: .store, effect: .skipped),
            Mutation(site: "tryEnterWithoutBias()", operation: .compareExchange, effect: .storeInstead),
        ])
        func `A missing barrier or mark gives the strand two owners`(_ mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 3, isBiased: true)) { senders(["A": 2, "B": 1], $0) }
        }

        @Test(arguments: [
            Mutation(site: "leaveByBias(_:namesOwner:)", operation: .lightBarrier, effect: .skipped),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .heavyBarrier, effect: .skipped),
        ])
        func `If one of the two looks at the other's word before it has written its own, an event is lost`(
            _ mutation: Mutation
        ) {
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3, isBiased: true)) {
                senders(["A": 2, "B": 1], $0)
            }
        }

        @Test(arguments: zip(["takeBias(_:namesOwner:)", "claim(_:namesOwner:)"], [Failure.Kind.race, .broken]))
        func
            `If a bias is taken or the strand is claimed with a plain store, there are two owners, or an event is lost`(
                _ site: String, _ kind: Failure.Kind
            )
        {
            let mutation = Mutation(site: site, operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: kind, Bounds(preemptions: 3, isBiased: true)) {
                senders(["A": 2, "B": 1, "C": 1], $0)
            }
        }

        @Test(arguments: [
            Mutation(site: "leaveByBias(_:namesOwner:)", operation: .store, effect: .relaxed),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .load, effect: .relaxed),
            Mutation(site: "takeBias(_:namesOwner:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "tryRelease(_:as:bias:)", operation: .compareExchange, effect: .relaxed),
        ])
        func `Without a release or an acquire, the next owner doesn't see the changes of the last`(_ mutation: Mutation)
        {
            expectCaught(mutation, as: .race, Bounds(preemptions: 3, isBiased: true)) { senders(["A": 2, "B": 1], $0) }
        }

        @Test
        func `If the byte isn't cleared when a thread gets its own bias again, the thread can't come in any more`() {
            let mutation = Mutation(site: "tryRelease(_:as:bias:)", operation: .store, effect: .skipped)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 1, oldReads: 0, isBiased: true)) {
                reentrantSender($0, before: 1, after: 1)
            }
        }

        @Test func `If all biases had one byte, a thread that was suspended would clear another one's mark`() {
            let outcome = explore(Bounds(preemptions: 3, oldReads: 0, isBiased: true, sharesBytes: true)) {
                senders(["A": 2, "B": 2], $0)
            }
            #expect(outcome.failure?.kind == .race || outcome.failure?.kind == .broken)
        }
    }
#endif
