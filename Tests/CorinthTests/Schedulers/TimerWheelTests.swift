import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// The wheel on its own, compared with its model: entries sorted by deadline, and by insertion for equal deadlines.
struct TimerWheelTests {
    /// An entry and its number.
    private struct Item {
        let entry: TimerEntry
        let number: Int
    }

    private let service = VirtualTimers().service
    private let queue = DispatchQueue(label: "wheel")

    private func entry(at nanoseconds: UInt64) -> TimerEntry {
        TimerEntry({}, at: TimePoint(nanoseconds: nanoseconds), on: queue, by: service)
    }

    /// Takes every entry that is due, in order.
    private func takeDue(from wheel: inout TimerWheel, until now: UInt64) -> [TimerEntry] {
        var entries: [TimerEntry] = []
        while true {
            switch wheel.step(until: TimePoint(nanoseconds: now)) {
            case .idle: return entries
            case .moved: continue
            case .due(let entry): entries.append(entry)
            }
        }
    }

    @Test func order() {
        var wheel = TimerWheel(start: TimePoint(nanoseconds: 1000))
        let deadlines: [UInt64] = [5_000_000_001, 1001, 64_000, 5_000_000_000, 1001, 7, 1 << 60, 1000]
        let entries = deadlines.map { entry(at: $0) }
        for entry in entries { wheel.insert(entry) }
        // A deadline before the start counts as the start. Such an entry precedes later ones, and follows entries with the
        // start's time that were inserted earlier.
        let expected = [5, 7, 1, 4, 2, 3, 0].map { entries[$0] }
        #expect(wheel.earliest?.nanoseconds == 1000)
        let due = takeDue(from: &wheel, until: 6_000_000_000)
        #expect(due.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
        #expect(wheel.count == 1)
        #expect(wheel.earliest?.nanoseconds == 1 << 60)
    }

    @Test func nothingIsEarly() {
        var wheel = TimerWheel(start: .beginning)
        wheel.insert(entry(at: 1_000_000))
        wheel.insert(entry(at: 1_000_001))
        #expect(takeDue(from: &wheel, until: 999_999).isEmpty)
        #expect(takeDue(from: &wheel, until: 1_000_000).count == 1)
        #expect(takeDue(from: &wheel, until: 1_000_000).isEmpty)
        #expect(takeDue(from: &wheel, until: 1_000_001).count == 1)
    }

    /// Thousands of random insertions, removals and steps, with distances from nanoseconds to years.
    @Test(arguments: 1...40)
    func atRandom(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var wheel = TimerWheel(start: TimePoint(nanoseconds: 1 << 40))
        var now: UInt64 = 1 << 40
        var model: [Item] = []
        var number = 0
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                // Deadlines are often equal, so that their order is tested.
                let distance = UInt64.random(in: 0...3, using: &random) << UInt64.random(in: 0..<55, using: &random)
                let item = Item(entry: entry(at: now + distance), number: number)
                number += 1
                wheel.insert(item.entry)
                model.append(item)
            case 5..<8:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                wheel.remove(model.remove(at: index).entry)
            case 8:
                // Takes some of the due entries, with other operations in between.
                for _ in 0..<Int.random(in: 0..<20, using: &random) {
                    guard case .due(let entry) = wheel.step(until: TimePoint(nanoseconds: now)) else { continue }
                    expectFirst(entry, of: &model, until: now)
                }
            default:
                if Bool.random(using: &random) {
                    now += UInt64.random(in: 0...3, using: &random) << UInt64.random(in: 0..<50, using: &random)
                } else if let next = wheel.earliest {
                    now = max(now, next.nanoseconds)
                }
                for entry in takeDue(from: &wheel, until: now) { expectFirst(entry, of: &model, until: now) }
                #expect(model.allSatisfy { $0.entry.deadline.nanoseconds > now }, "entries that are due were left")
            }
            #expect(wheel.count == model.count)
            if let first = model.map(\.entry.deadline).min() {
                guard let earliest = wheel.earliest else {
                    Issue.record("the wheel reports that it is empty")
                    return
                }
                #expect(earliest <= first || earliest <= TimePoint(nanoseconds: now))
            } else {
                #expect(wheel.earliest == nil)
            }
        }
    }

    private func expectFirst(_ entry: TimerEntry, of model: inout [Item], until now: UInt64) {
        guard let index = model.firstIndex(where: { $0.entry === entry }) else {
            Issue.record("the wheel returned an entry that was removed")
            return
        }
        let item = model.remove(at: index)
        #expect(entry.deadline.nanoseconds <= now)
        let earlier = model.filter { ($0.entry.deadline, $0.number) < (entry.deadline, item.number) }
        #expect(earlier.isEmpty, "\(earlier.count) entries should have come first")
    }

    /// As long as no entry is removed, each wake-up at the earliest deadline finds an entry.
    @Test func eachWakeUpFindsAnEntry() {
        var random = SeededGenerator(seed: 7)
        var wheel = TimerWheel(start: .beginning)
        for _ in 0..<500 { wheel.insert(entry(at: UInt64.random(in: 0..<1 << 45, using: &random))) }
        var wakeUps = 0
        while let next = wheel.earliest {
            #expect(!takeDue(from: &wheel, until: next.nanoseconds).isEmpty)
            wakeUps += 1
        }
        #expect(wakeUps <= 500)
    }

    /// A wheel releases its entries when it is deallocated, also a long list.
    @Test func releasesEntries() {
        let leaks = LeakCounter()
        do {
            var wheel = TimerWheel(start: .beginning)
            for _ in 0..<100_000 {
                let token = leaks.token()
                wheel.insert(TimerEntry({ token.touch() }, at: TimePoint(nanoseconds: 77), on: queue, by: service))
            }
            #expect(leaks.count == 100_000)
        }
        #expect(leaks.count == 0)
    }
}
