#if Exploration
    @testable import Corinth

    /// An event of a scenario: its sender and its number.
    struct Sent: Hashable, CustomStringConvertible {
        let sender: String
        let number: Int

        var description: String { "\(sender)\(number)" }
    }

    /// What one execution delivered, and checks of the laws on it.
    ///
    /// It uses plain memory on purpose: only the code under test keeps two deliveries from overlapping.
    final class Deliveries: @unchecked Sendable {
        private let scenario: Scenario
        private let between = SharedWord()
        private var isDelivering = false
        private(set) var events: [Sent] = []

        init(_ scenario: Scenario) {
            self.scenario = scenario
        }

        /// Delivers an event. Deliveries must not overlap (law E2).
        func deliver(_ event: Sent, _ more: () -> Void = {}) {
            PlainAccess.write(self)
            scenario.expect(!isDelivering, "\(event) is delivered during another delivery")
            isDelivering = true
            events.append(event)
            between.pass()
            more()
            scenario.expect(isDelivering, "\(event) is delivered by two owners")
            isDelivering = false
            PlainAccess.write(self)
        }

        /// Notes an event that only one thread can receive. It is no step of the schedule.
        func note(_ event: Sent) {
            PlainAccess.write(self)
            events.append(event)
        }

        /// Expects that every sent event was delivered once (law E1), and each sender's events in FIFO order (law E4).
        func expectAll(_ counts: [String: Int]) {
            let expected = counts.values.reduce(0, +)
            scenario.expect(events.count == expected, "\(expected) events were sent, delivered: \(events)")
            for (sender, count) in counts {
                let numbers = events.filter { $0.sender == sender }.map(\.number)
                let isInOrder = numbers == Array(1..<count + 1)
                scenario.expect(isInOrder, "\(sender)'s \(count) events were delivered as \(numbers)")
            }
        }
    }

    extension Strand {
        /// Delivers an event as a signal does.
        func send(_ event: Sent, to deliveries: Deliveries, _ more: @escaping () -> Void = {}) {
            if !enter({ deliveries.deliver(event, more) }) {
                queue((event, more), for: deliveries) { $0.deliver($1.0, $1.1) }
            }
        }
    }
#endif
