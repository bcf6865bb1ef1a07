@testable import Corinth
import Foundation
import Testing

/// One signal, used by many threads.
@Suite("Stress: one signal", .serialized)
struct SignalStressTests {
    @Test func `E1 to E4, E7, S3: 64 threads send to, observe, stop observing and end one signal`() {
        var delivered = 0
        let rounds = Stress.repeated(share: 1) { delivered += round(senders: 40, visitors: 23) }
        print("crowd(): \(delivered.formatted()) events in \(rounds) rounds")
        #expect(delivered > 0)
    }

    /// The disposal looks at the strand of signals that may have ended, whose source has been released.
    @Test func `S3: one thread stops observing a derived signal while another one ends its source`() {
        let leaks = LeakCounter()
        let ends = Counter()
        let rounds = Stress.repeated(share: 1) {
            let holders = (0..<100).map { _ in
                let (output, input) = Signal<Int, Never>.pipe()
                let token = leaks.token()
                let disposable = output.map { $0 + 1 }.filter { [token] in
                    token.touch()
                    return $0 > 0
                }
                .map { $0 * 2 }.observeInterrupted { ends.increment() }
                return (Holder(input), Holder(disposable))
            }
            let turn = Counter()
            ThreadGroup.run(2) { index in
                for (number, (input, disposable)) in holders.enumerated() {
                    // Both threads begin each round together.
                    turn.increment()
                    while turn.value < 2 * (number + 1) { sched_yield() }
                    if index == 0 {
                        input.held.send(value: 1)
                        input.release()
                    } else {
                        disposable.held?.dispose()
                        disposable.release()
                    }
                }
            }
        }
        print("disposalBesideTheEnd(): \(ends.value.formatted()) ends in \(rounds) rounds")
        // An owner that has lost its processor for 10 ms hands the strand over, so a worker may still run the rest.
        #expect(Stress.eventually { leaks.count == 0 }, "S3: \(leaks.count) observers are still alive")
    }

    /// Observes, sends a letter, stops observing, and sends another letter.
    private func visit(
        _ output: Signal<Letter, Never>, _ input: Signal<Letter, Never>.Observer, as visitor: Int, _ sent: Counter,
        until ended: Flag, _ leaks: LeakCounter, _ mistakes: Counter
    ) {
        let number = sent.value
        let visit = Visit(of: visitor, limit: number + 1, leaks, mistakes)
        let disposable = output.observe { visit.receive($0) }
        input.send(value: Letter(sender: visitor, number: number))
        sent.increment()
        // Every other visit continues until it has received its own letter, which must arrive (law E5).
        while number % 4 == 0, !visit.hasSeenItself, !ended.isRaised { sched_yield() }
        disposable?.dispose()
        // Sent after dispose() has returned, so it must not arrive (law E7).
        input.send(value: Letter(sender: visitor, number: number + 1))
        sent.increment()
    }

    /// Returns how many events were delivered.
    private func round(senders: Int, visitors: Int) -> Int {
        let leaks = LeakCounter()
        let all = Ledger(senders: senders + visitors)
        let sent = (0..<senders + visitors).map { _ in Counter() }
        let ended = Flag()
        let mistakes = Counter()
        var before: [Int] = []
        do {
            let (output, input) = Signal<Letter, Never>.pipe()
            let token = leaks.token()
            output.observe { event in
                token.touch()
                all.receive(event)
            }
            let counts = Holder([Int]())
            ThreadGroup.run(senders + visitors + 1) { index in
                switch index {
                case 0..<senders:
                    while !ended.isRaised {
                        input.send(value: Letter(sender: index, number: sent[index].value))
                        sent[index].increment()
                    }
                case senders..<senders + visitors:
                    while !ended.isRaised {
                        visit(output, input, as: index, sent[index], until: ended, leaks, mistakes)
                    }
                default:
                    while all.count < 20_000 { sched_yield() }
                    counts.held = sent.map(\.value)
                    input.sendCompleted()
                    ended.raise()
                }
            }
            before = counts.held
        }
        // A worker may have taken over the strand, and may still deliver.
        #expect(Stress.eventually { leaks.count == 0 }, "S3: \(leaks.count) observers are still alive")
        #expect(all.isInOrder, "E4: a sender's events are out of order or missing")
        #expect(all.ends == 1, "E1: \(all.ends) ends")
        #expect(mistakes.value == 0, "E4, E7: delivered after dispose(), or out of order")
        for (index, count) in before.enumerated() {
            let delivered = all.numbers[index]
            #expect(
                delivered >= count, "\(count) events were sent before the end, but only \(delivered) were delivered")
            #expect(delivered <= sent[index].value, "\(delivered) of \(sent[index].value) events")
        }
        return all.count
    }
}

/// An event with its sender and number.
struct Letter: Equatable, Sendable {
    let sender: Int
    let number: Int
}

/// The events that an observer received. All but the count is plain memory: the signal serialises its callbacks.
final class Ledger: @unchecked Sendable {  // The signal serialises its callbacks (law E2).
    private let counter = Counter()
    private(set) var numbers: [Int]
    private(set) var isInOrder = true
    private let endCounter = Counter()

    /// For an observer that exists from the start, and so receives each sender's letters from 0 on.
    init(senders: Int) {
        numbers = Array(repeating: 0, count: senders)
    }

    var count: Int { counter.value }
    var ends: Int { endCounter.value }

    func receive(_ event: Signal<Letter, Never>.Event) {
        if ends > 0 { isInOrder = false }
        guard let letter = event.value else {
            endCounter.increment()
            return
        }
        if letter.number != numbers[letter.sender] { isInOrder = false }
        numbers[letter.sender] = letter.number + 1
        counter.increment()
    }
}

/// The events that a temporary observer receives. It is plain memory: the signal serialises its callbacks.
private final class Visit: @unchecked Sendable {  // The signal serialises its callbacks (law E2).
    private let token: LeakCounter.Token
    private let visitor: Int
    private let limit: Int
    private let mistakes: Counter
    private let ownLetters = Counter()
    private var last: [Int: Int] = [:]

    /// - Parameter limit: The number of the first own letter that it must not receive.
    init(of visitor: Int, limit: Int, _ leaks: LeakCounter, _ mistakes: Counter) {
        token = leaks.token()
        self.visitor = visitor
        self.limit = limit
        self.mistakes = mistakes
    }

    var hasSeenItself: Bool { ownLetters.value > 0 }

    func receive(_ event: Signal<Letter, Never>.Event) {
        guard let letter = event.value else { return }
        if let before = last[letter.sender], letter.number != before + 1 { mistakes.increment() }
        last[letter.sender] = letter.number
        guard letter.sender == visitor else { return }
        if letter.number >= limit { mistakes.increment() }
        ownLetters.increment()
    }
}
