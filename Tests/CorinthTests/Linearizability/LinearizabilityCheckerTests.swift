import Testing

/// The checker decides histories that were made by hand.
@Suite("Linearizability, checker")
struct LinearizabilityCheckerTests {
    typealias Cell = CellModel.Operation
    typealias Queue = QueueModel.Operation

    /// A call: its thread, its time, the operation and what it returned.
    private static func call<Operation>(
        _ thread: Int, _ time: ClosedRange<Int>, _ operation: Operation, _ outcome: OperationResult?
    ) -> Call<Operation> {
        Call(
            thread: thread, operation: operation, outcome: outcome, begin: time.lowerBound,
            end: outcome == nil ? .max : time.upperBound)
    }

    private static func explains(
        _ calls: [Call<Cell>], in order: History<Cell>.Order = .realTime
    ) -> Bool {
        LinearizabilityChecker.isLinearizable(History(order: order, calls: calls), from: CellModel(value: 0))
    }

    @Test func `A call takes effect between its beginning and its return`() {
        // The read overlaps the write: it may return the old or the new value, but no other one.
        for (number, isRight) in [(0, true), (1, true), (2, false)] {
            let calls = [Self.call(0, 1...4, Cell.set(1), .done), Self.call(1, 2...3, Cell.read, .number(number))]
            #expect(Self.explains(calls) == isRight)
        }
    }

    @Test func `A read that comes after a write in time returns its value, but threads alone don't order them`() {
        let calls = [Self.call(0, 1...2, Cell.set(1), .done), Self.call(1, 3...4, Cell.read, .number(0))]
        #expect(!Self.explains(calls))
        #expect(Self.explains(calls, in: .program))
        let own = [Self.call(0, 1...2, Cell.set(1), .done), Self.call(0, 3...4, Cell.read, .number(0))]
        #expect(!Self.explains(own, in: .program))
    }

    @Test func `Two reads at the same time as a write don't see the new value and then the old one`() {
        let write = Self.call(0, 1...10, Cell.set(1), .done)
        let first = Self.call(1, 2...3, Cell.read, .number(1))
        #expect(Self.explains([write, first, Self.call(2, 4...5, Cell.read, .number(1))]))
        #expect(!Self.explains([write, first, Self.call(2, 4...5, Cell.read, .number(0))]))
        // Of reads that overlap, either may be the first.
        #expect(Self.explains([write, first, Self.call(2, 2...5, Cell.read, .number(0))]))
    }

    @Test func `Two additions at the same time don't return the same sum`() {
        let first = Self.call(0, 1...3, Cell.add(1), .number(1))
        #expect(Self.explains([first, Self.call(1, 2...4, Cell.add(1), .number(2))]))
        #expect(!Self.explains([first, Self.call(1, 2...4, Cell.add(1), .number(1))]))
    }

    @Test func `A call that hasn't returned may have taken effect or not`() {
        for number in 0...1 {
            let calls = [Self.call(0, 1...2, Cell.set(1), nil), Self.call(1, 3...4, Cell.read, .number(number))]
            #expect(Self.explains(calls))
        }
        #expect(
            !Self.explains([
                Self.call(0, 1...2, Cell.set(1), nil), Self.call(1, 3...4, Cell.read, .number(1)),
                Self.call(1, 5...6, Cell.read, .number(0)),
            ]))
    }

    private static func explainsQueue(_ calls: [Call<Queue>], capacity: Int = .max) -> Bool {
        LinearizabilityChecker.isLinearizable(
            History(order: .realTime, calls: calls), from: QueueModel(capacity: capacity))
    }

    @Test func `A queue is first in, first out, and each element comes out once`() {
        let posts = [Self.call(1, 1...2, Queue.post(1), .done), Self.call(2, 3...4, Queue.post(2), .done)]
        let taken: [([Int?], Bool)] = [
            ([1, 2], true), ([2, 1], false), ([1, 1], false), ([1, nil], false), ([nil], false),
        ]
        for (elements, isRight) in taken {
            let takes = elements.enumerated().map { index, element in
                Self.call(0, 10 * (index + 1)...10 * (index + 1) + 1, Queue.take, .number(element))
            }
            #expect(Self.explainsQueue(posts + takes) == isRight, "\(elements)")
        }
        // Posts at the same time may be in any order.
        let atOnce = [Self.call(1, 1...4, Queue.post(1), .done), Self.call(2, 2...3, Queue.post(2), .done)]
        for element in 1...2 { #expect(Self.explainsQueue(atOnce + [Self.call(0, 5...6, .take, .number(element))])) }
    }

    @Test func `A post that is in progress hides later ones, and no others do`() {
        let later = Self.call(2, 2...3, Queue.post(2), .done)
        let take = Self.call(0, 4...5, Queue.take, .number(nil))
        #expect(Self.explainsQueue([Self.call(1, 1...6, Queue.post(1), .done), later, take]))
        #expect(!Self.explainsQueue([Self.call(1, 6...7, Queue.post(1), .done), later, take]))
    }

    @Test func `A post to a full queue returns after something was taken`() {
        let posts = [Self.call(1, 1...2, Queue.post(1), .done), Self.call(1, 3...4, Queue.post(2), .done)]
        #expect(Self.explainsQueue(posts, capacity: 2))
        #expect(!Self.explainsQueue(posts, capacity: 1))
        #expect(Self.explainsQueue(posts + [Self.call(0, 2...5, .take, .number(1))], capacity: 1))
        #expect(!Self.explainsQueue(posts + [Self.call(0, 5...6, .take, .number(1))], capacity: 1))
    }

    @Test func `Actions run once, in the order of their additions, and late ones at once`() {
        typealias Operation = CompositeModel.Operation
        func explains(_ ran: [Int], removal: ClosedRange<Int> = 1...2) -> Bool {
            let calls = [
                Self.call(0, 10...11, Operation.add(1), .flag(true)),
                Self.call(0, 12...13, Operation.add(2), .flag(true)),
                Self.call(1, removal, Operation.remove(1), .done),
                Self.call(0, 20...30, Operation.dispose(0), .done),
                Self.call(1, 24...25, Operation.isDisposed, .flag(true)),
                Self.call(-1, 40...41, Operation.ran, .numbers(ran)),
            ]
            return LinearizabilityChecker.isLinearizable(
                History(order: .realTime, calls: calls), from: CompositeModel())
        }
        #expect(explains([1, 2]))
        #expect(!explains([2, 1]))
        #expect(!explains([1]))
        #expect(!explains([1, 2, 2]))
        // Removed before the disposal, at the same time, or after it.
        #expect(explains([2], removal: 15...16) && !explains([1, 2], removal: 15...16))
        #expect(explains([2], removal: 26...27) && explains([1, 2], removal: 26...27))
        #expect(explains([1, 2], removal: 32...33) && !explains([2], removal: 32...33))
    }

    @Test func `An explanation has the shortest prefix that fails, and the longest order in it`() {
        let history = History(
            order: .realTime,
            calls: [
                Self.call(0, 1...3, Cell.add(1), .number(1)), Self.call(1, 2...5, Cell.add(1), .number(1)),
                Self.call(0, 4...7, Cell.read, .number(1)), Self.call(1, 8...9, Cell.read, .number(1)),
            ])
        #expect(
            LinearizabilityChecker.explanation(of: history, from: CellModel(value: 0)) == """
                  thread 0    ├─┤     add(1) → 1
                  thread 1     ├──┤   add(1) → 1
                  thread 0       ├─…  read, which hasn't returned
                  The longest sequential order that the model allows: add(1) → 1, read
                """)
    }
}
