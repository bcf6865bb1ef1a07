#if Exploration && !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every interleaving of what a few threads do to one signal.
    @Suite("Signal, all interleavings", .serialized)
    struct SignalExplorationTests {
        @Test(
            "E7: after dispose() has returned, an observer receives nothing that starts later; the others receive all")
        func disposeRacesDelivery() {
            expectSound(Bounds(preemptions: 2), reaching: [.oldValue]) { scenario in
                let (output, input) = Signal<Sent, Never>.pipe()
                scenario.keep(input)
                let disposed = SharedWord()
                let all = Deliveries(scenario)
                let observation = output.observeValues { event in
                    scenario.expect(event.sender != "late", "\(event) comes after dispose()")
                }
                output.observeValues { all.deliver($0) }
                for object in [observation as AnyObject, output.core, output.core.strand] { scenario.watch(object) }
                scenario.thread("A") {
                    observation?.dispose()
                    disposed.raise()
                }
                scenario.thread("B") {
                    for number in 1...2 {
                        input.send(value: Sent(sender: disposed.isRaised ? "late" : "B", number: number))
                    }
                }
                scenario.finally { scenario.expect(all.events.map(\.number) == [1, 2], "delivered: \(all.events)") }
            }
        }

        @Test("E1: of two threads that end a signal one does, and nothing comes after")
        func endsOnce() {
            expectSound(Bounds(preemptions: 2), reaching: [.oldValue]) { scenario in
                let disposal = Tally()
                let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.count += 1 })
                scenario.keep(input)
                for object in [output.core, output.core.strand] as [AnyObject] { scenario.watch(object) }
                let ends = Tally()
                output.observe { event in
                    scenario.expect(ends.count == 0, "\(event) comes after the end")
                    if event.isTerminating { ends.count += 1 }
                }
                scenario.thread("A") {
                    input.send(value: 1)
                    input.sendCompleted()
                }
                scenario.thread("B") {
                    input.send(value: 2)
                    input.sendInterrupted()
                }
                scenario.finally {
                    scenario.expect(ends.count == 1, "\(ends.count) ends")
                    scenario.expect(disposal.count == 1, "the resources were disposed of \(disposal.count) times")
                }
            }
        }

        @Test("E3, E5: who observes while another thread sends sees what it sends itself from there on")
        func observeRacesDelivery() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let (output, input) = Signal<Sent, Never>.pipe()
                scenario.keep(input)
                let all = Deliveries(scenario)
                let some = Deliveries(scenario)
                output.observeValues { all.deliver($0) }
                scenario.thread("A") { for number in 1...2 { input.send(value: Sent(sender: "A", number: number)) } }
                scenario.thread("B") {
                    output.observeValues { some.deliver($0) }
                    input.send(value: Sent(sender: "B", number: 1))
                }
                scenario.finally {
                    all.expectAll(["A": 2, "B": 1])
                    let seen = Array(all.events.suffix(some.events.count))
                    scenario.expect(some.events == seen, "one sees \(all.events), the other \(some.events)")
                    scenario.expect(some.events.contains { $0.sender == "B" }, "its own event is missing")
                }
            }
        }

        @Test("S4: who observes while another thread ends the signal hears of one end")
        func observeRacesEnd() {
            expectSound(Bounds(preemptions: nil)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                let ends = Tally()
                scenario.thread("A") { input.sendCompleted() }
                scenario.thread("B") { output.observe { if $0.isTerminating { ends.count += 1 } } }
                scenario.finally { scenario.expect(ends.count == 1, "\(ends.count) ends") }
            }
        }

        @Test("S3: an observation that is given up while it waits for its place leaves nothing behind")
        func observeAndDisposeRaceDelivery() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                scenario.keep(output)
                let live = Live()
                scenario.thread("A") { input.send(value: 1) }
                scenario.thread("B") {
                    let token = live.token()
                    output.observeValues { _ in token.touch() }?.dispose()
                }
                scenario.finally { scenario.expect(live.count == 0, "the observer's closure is still held") }
            }
        }

        @Test("S3: a signal that loses its last reference and its last observer at once ends once")
        func lastReferenceRacesDispose() {
            expectSound(Bounds(preemptions: 3, oldReads: 0)) { scenario in
                let disposal = Tally()
                let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposal.count += 1 })
                scenario.keep(input)
                let observation = output.observeValues { _ in }
                let handle = Holder(output)
                scenario.thread("A") { handle.release() }
                scenario.thread("B") { observation?.dispose() }
                scenario.thread("C") { input.send(value: 1) }
                scenario.finally {
                    scenario.expect(disposal.count == 1, "the resources were disposed of \(disposal.count) times")
                }
            }
        }

        @Test("E5: two signals that send to each other from two threads don't deadlock, and lose nothing")
        func mutualSenders() {
            expectSound(Bounds(preemptions: nil, oldReads: 0, spinning: 0)) { scenario in
                let first = Signal<Sent, Never>.pipe(inboxCapacity: 1)
                let second = Signal<Sent, Never>.pipe(inboxCapacity: 1)
                scenario.keep(first.input, second.input)
                let toFirst = Deliveries(scenario)
                let toSecond = Deliveries(scenario)
                first.output.observeValues { event in
                    toFirst.deliver(event) { if event.sender == "A" { second.input.send(value: event) } }
                }
                second.output.observeValues { event in
                    toSecond.deliver(event) { if event.sender == "B" { first.input.send(value: event) } }
                }
                scenario.thread("A") { first.input.send(value: Sent(sender: "A", number: 1)) }
                scenario.thread("B") { second.input.send(value: Sent(sender: "B", number: 1)) }
                scenario.finally { for deliveries in [toFirst, toSecond] { deliveries.expectAll(["A": 1, "B": 1]) } }
            }
        }

        @Test("E2: a derived signal is serial as its source is")
        func derived() {
            expectSound(Bounds(preemptions: nil, oldReads: 0)) { scenario in
                let (output, input) = Signal<Int, Never>.pipe()
                scenario.keep(input)
                let deliveries = Deliveries(scenario)
                output.map { Sent(sender: $0 < 0 ? "A" : "B", number: abs($0)) }.filter { $0.number > 0 }
                    .observeValues { deliveries.deliver($0) }
                scenario.thread("A") { input.send(value: -1) }
                scenario.thread("B") { input.send(value: 1) }
                scenario.finally { deliveries.expectAll(["A": 1, "B": 1]) }
            }
        }
    }

    /// A number that a scenario counts up, in plain memory.
    final class Tally: @unchecked Sendable {  // What the code under test serialises.
        var count = 0
    }
#endif
