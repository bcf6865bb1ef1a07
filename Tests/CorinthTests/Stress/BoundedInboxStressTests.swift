import Corinth
import Testing

/// The number of events that wait for delivery is bounded, and the bounds cause no deadlock.
@Suite("Stress: inboxes", .serialized)
struct BoundedInboxStressTests {
    @Test func `X2: with 8 fast senders and a slow observer, no more events wait than the capacity`() {
        let capacity = 16
        let senders = 8
        let most = Peak()
        Stress.repeated(share: 0.5) {
            let returned = Counter()
            let (output, input) = Signal<Letter, Never>.pipe(inboxCapacity: capacity)
            let ledger = Ledger(senders: senders)
            output.observe { event in
                ledger.receive(event)
                // An event waits if `send` has returned and the event was not delivered.
                most.note(returned.value - ledger.count)
                Work.spin(2_000)
            }
            ThreadGroup.run(senders) { sender in
                for number in 0..<200 {
                    input.send(value: Letter(sender: sender, number: number))
                    returned.increment()
                }
            }
            // A worker that took over the strand may still deliver the last events.
            #expect(Stress.eventually { ledger.count == senders * 200 }, "only \(ledger.count) events were delivered")
            #expect(ledger.isInOrder)
        }
        print("slowObserver(): at most \(most.value) of \(capacity) events waited")
        #expect(most.value <= capacity)
    }

    #if !NaiveLocks  // Law E5 is one of the naive build's exceptions: there, these two deadlock.
        @Test func `E5: two signals that send to each other from two threads don't deadlock, and lose no event`() {
            Stress.repeated(share: 0.5) {
                let first = Signal<Letter, Never>.pipe(inboxCapacity: 4)
                let second = Signal<Letter, Never>.pipe(inboxCapacity: 4)
                let toFirst = Ledger(senders: 2)
                let toSecond = Ledger(senders: 2)
                first.output.observe { event in
                    toFirst.receive(event)
                    if let letter = event.value, letter.sender == 0 { second.input.send(value: letter) }
                }
                second.output.observe { event in
                    toSecond.receive(event)
                    if let letter = event.value, letter.sender == 1 { first.input.send(value: letter) }
                }
                ThreadGroup.run(2) { sender in
                    let input = sender == 0 ? first.input : second.input
                    for number in 0..<2_000 { input.send(value: Letter(sender: sender, number: number)) }
                }
                #expect(Stress.eventually { toFirst.count == 4_000 && toSecond.count == 4_000 }, "events were lost")
                #expect(toFirst.isInOrder && toSecond.isInOrder)
                first.input.sendCompleted()
                second.input.sendCompleted()
            }
        }
    #endif
}

/// The largest number. Written in callbacks of one signal at a time; the last one may still run when it is read.
private final class Peak: Sendable {
    private let largest = Atomic(0)

    var value: Int { largest.value }

    func note(_ number: Int) { largest.modify { $0 = max($0, number) } }
}
