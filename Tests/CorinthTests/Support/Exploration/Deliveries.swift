#if Exploration
    @testable import Corinth

    /// An event of a scenario: which sender's, and its how-manieth.
    struct Sent: Hashable, CustomStringConvertible {
        let sender: String
        let number: Int

        var description: String { "\(sender)\(number)" }
    }

    /// What was delivered in one execution, and the laws about it.
    ///
    /// Plain memory on purpose: nothing but the code under test keeps two deliveries apart.
    final class Deliveries: @unchecked Sendable {
        private let scenario: Scenario
        private let between = SharedWord()
        private var isDelivering = false
        private(set) var events: [Sent] = []

        init(_ scenario: Scenario) {
            self.scenario = scenario
        }

        /// Delivers an event: not while another one is being delivered (law E2).
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

        /// Notes an event that only one thread can have come by: no step of the schedule.
        func note(_ event: Sent) {
            PlainAccess.write(self)
            events.append(event)
        }

        /// Every event that was sent has been delivered once (law E1), those of one sender in order (law E4).
        func expectAll(_ counts: [String: Int]) {
            let expected = counts.values.reduce(0, +)
            scenario.expect(events.count == expected, "\(expected) events were sent, delivered: \(events)")
            for (sender, count) in counts {
                let numbers = events.filter { $0.sender == sender }.map(\.number)
                scenario.expect(numbers == Array(1...count), "\(sender)'s \(count) events come as \(numbers)")
            }
        }
    }

    extension Strand {
        /// Delivers an event, as a signal does.
        func send(_ event: Sent, to deliveries: Deliveries, _ more: @escaping () -> Void = {}) {
            if tryEnter() {
                deliveries.deliver(event, more)
                leave()
            } else {
                enqueue(WorkNode { deliveries.deliver(event, more) })
            }
        }
    }
#endif
