#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// How many references a strand's list counts. The order in which threads come, `StrandKeepingExplorationTests` explores.
    @Suite("Strand, what its list keeps")
    struct StrandKeepingTests {
        private final class Object {
            var received: [Int] = []
        }

        private func node(_ number: Int, for object: Object, isKeptByList: Bool) -> StrandNode {
            EventNode(number, for: object, isKeptByList: isKeptByList) { node in
                EventNode<Object, Int>.deliver(node) { $0.received.append($1) }
            }
        }

        @Test(arguments: [true, false])
        func `However many events are queued, the list counts one reference to its object`(isKeptByList: Bool) {
            let strand = Strand()
            let object = Object()
            let before = _getRetainCount(object)
            guard let owned = strand.enter() else {
                Issue.record("an idle strand has an owner")
                return
            }
            for number in 1...100 {
                strand.enqueue(node(number, for: object, isKeptByList: isKeptByList), .inTurn)
            }
            #expect(object.received.isEmpty)
            #expect(_getRetainCount(object) == before + (isKeptByList ? 1 : 100))
            strand.leave(owned)
            #expect(object.received == Array(1...100))
            #expect(_getRetainCount(object) == before)
        }

        @Test func `An event that is part of a bound property's change is kept by the list, too`() {
            let strand = Strand()
            let object = Object()
            let before = _getRetainCount(object)
            guard let owned = strand.enter() else {
                Issue.record("an idle strand has an owner")
                return
            }
            let nodes = [1, 2].map { node($0, for: object, isKeptByList: true) }
            ThreadState.current.during(.starting) {
                for node in nodes { strand.enqueue(node, .inTurn) }
            }
            #expect(_getRetainCount(object) == before + 1)
            strand.enqueue(node(3, for: object, isKeptByList: true), .inTurn)
            #expect(_getRetainCount(object) == before + 1)
            strand.leave(owned)
            #expect(object.received == [1, 2, 3])
            #expect(_getRetainCount(object) == before)
        }

        @Test func `A list that is taken in a delivery has a reference of its own`() {
            let strand = Strand()
            let object = Object()
            let before = _getRetainCount(object)
            guard let owned = strand.enter() else {
                Issue.record("an idle strand has an owner")
                return
            }
            // The second list: queued when the first one was taken.
            strand.enqueue(
                EventNode(strand, for: object, isKeptByList: true) { [self] node in
                    EventNode<Object, Strand>.deliver(node) { object, strand in
                        object.received.append(1)
                        strand.enqueue(self.node(2, for: object, isKeptByList: true), .inTurn)
                    }
                }, .inTurn)
            strand.leave(owned)
            #expect(object.received == [1, 2])
            #expect(_getRetainCount(object) == before)
        }
    }
#endif
