#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// What a thread does when it has left a strand, in one word.
    struct DueWorkTests {
        private enum Step: CaseIterable {
            case deferFirst, deferSecond, deferThird, follow, takeWaits, callFollower
        }

        private final class Follower: DeliveryFollower, @unchecked Sendable {  // Of one thread.
            private let called: () -> Void

            init(_ called: @escaping () -> Void) { self.called = called }

            override func followDelivery() { called() }
        }

        /// All sequences of five steps, beside a list and an optional. At the end, the word has kept no reference.
        @Test func everySequence() {
            let count = Step.allCases.count
            for number in 0..<count * count * count * count * count {
                var rest = number
                let steps = (0..<5).map { _ in
                    defer { rest /= count }
                    return Step.allCases[rest % count]
                }
                expect(steps)
            }
        }

        private func expect(_ steps: [Step]) {
            let thread = ThreadState.current
            var permits = (0..<3).map { _ in Permits(capacity: 1, stallTimeout: .max) }
            let references = permits.map(Weak.init)
            weak var lastFollower: Follower?
            var waits: [Int] = []
            var (isFollowed, calls) = (false, 0)
            func takeWaits() {
                let taken = thread.takeDeferredWaits().map { [$0.first] + $0.others } ?? []
                #expect(taken.map(ObjectIdentifier.init) == waits.map { ObjectIdentifier(permits[$0]) }, "\(steps)")
                waits = []
            }
            func callFollower() {
                let before = calls
                thread.callFollower()
                #expect(calls == before + (isFollowed ? 1 : 0), "\(steps)")
                isFollowed = false
            }
            func deferWait(_ index: Int) {
                thread.deferWait(for: permits[index])
                if !waits.contains(index) { waits.append(index) }
            }
            for step in steps {
                switch step {
                case .deferFirst: deferWait(0)
                case .deferSecond: deferWait(1)
                case .deferThird: deferWait(2)
                case .follow:
                    let follower = Follower { calls += 1 }
                    lastFollower = follower
                    #expect(thread.follow(with: follower) == !isFollowed, "\(steps)")
                    isFollowed = true
                case .takeWaits: takeWaits()
                case .callFollower: callFollower()
                }
                #expect(thread.hasDeferredWait == !waits.isEmpty && thread.due.hasFollower == isFollowed, "\(steps)")
                #expect(thread.hasDue == (!waits.isEmpty || isFollowed), "\(steps)")
            }
            takeWaits()
            callFollower()
            permits = []
            #expect(!thread.hasDue && lastFollower == nil && references.allSatisfy { $0.object == nil }, "\(steps)")
        }

        private struct Weak {
            private(set) weak var object: Permits?

            init(_ object: Permits) { self.object = object }
        }
    }
#endif
