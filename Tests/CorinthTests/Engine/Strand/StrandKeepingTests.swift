#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// How many references a strand's list counts. The order in which threads come, `StrandKeepingExplorationTests` explores.
    @Suite("Strand, what its list keeps")
    struct StrandKeepingTests {
        private final class Object: EventTarget {
            var received: [Int] = []

            /// Called with the first event.
            var atFirst: (() -> Void)?

            func deliverQueued(_ value: Int) {
                received.append(value)
                atFirst.take()?()
            }
        }

        private func node(_ number: Int, for object: Object, isKeptByList: Bool) -> StrandNode {
            EventNode(number, for: object, isKeptByList: isKeptByList)
        }

        /// Queues events on a strand that this thread owns. Until they run, they count so many references to the object, and none
        /// after that.
        private func expect(_ references: Int, received: [Int], _ queue: (Strand, Object) -> Void) {
            let strand = Strand()
            let object = Object()
            let before = _getRetainCount(object)
            guard let owned = strand.enter() else {
                Issue.record("an idle strand has an owner")
                return
            }
            queue(strand, object)
            #expect(object.received.isEmpty)
            #expect(_getRetainCount(object) == before + UInt(references))
            strand.leave(owned)
            #expect(object.received == received)
            #expect(_getRetainCount(object) == before)
        }

        @Test(arguments: [true, false])
        func `However many events are queued, the list counts one reference to its object`(isKeptByList: Bool) {
            expect(isKeptByList ? 1 : 100, received: Array(1...100)) { strand, object in
                for number in 1...100 {
                    strand.enqueue(node(number, for: object, isKeptByList: isKeptByList), .inTurn)
                }
            }
        }

        @Test(arguments: [0, 1])
        func `An event that is part of a bound property's change is kept by the list, too`(others: Int) {
            expect(1, received: Array(1...2 + others)) { strand, object in
                ThreadState.current.during(.starting) {
                    for number in 1...2 { strand.enqueue(node(number, for: object, isKeptByList: true), .inTurn) }
                }
                if others > 0 { strand.enqueue(node(3, for: object, isKeptByList: true), .inTurn) }
            }
        }

        @Test func `A list that is taken in a delivery has a reference of its own`() {
            expect(1, received: [1, 2]) { strand, object in
                // The second list: queued when the first one was taken.
                unowned let object = object
                object.atFirst = { [self] in strand.enqueue(node(2, for: object, isKeptByList: true), .inTurn) }
                strand.enqueue(node(1, for: object, isKeptByList: true), .inTurn)
            }
        }
    }
#endif
