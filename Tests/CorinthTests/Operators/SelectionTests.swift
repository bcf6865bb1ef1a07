import Corinth
import CorinthTesting
import Testing

/// Operators that select or replace values: at most one output per input.
struct SelectionTests {
    typealias Same = Overloads<Int, TestError, Int, TestError>

    /// Each operator, with its output for 1, 1, 2, 3, 1.
    static let operators: [(name: String, overloads: Same, result: [Int])] = [
        ("map(value:)", Same({ $0.map(value: 7) }, { $0.map(value: 7) }), [7, 7, 7, 7, 7]),
        ("map(keyPath)", Same({ $0.map(\.successor) }, { $0.map(\.successor) }), [2, 2, 3, 4, 2]),
        ("skipRepeats", Same({ $0.skipRepeats() }, { $0.skipRepeats() }), [1, 2, 3, 1]),
        (
            "skipRepeats(_:)",
            Same({ $0.skipRepeats { $0 % 2 == $1 % 2 } }, { $0.skipRepeats { $0 % 2 == $1 % 2 } }), [1, 2, 3]
        ),
        ("skip(while:)", Same({ $0.skip { $0 < 2 } }, { $0.skip { $0 < 2 } }), [2, 3, 1]),
        ("uniqueValues", Same({ $0.uniqueValues() }, { $0.uniqueValues() }), [1, 2, 3]),
        (
            "uniqueValues(_:)", Same({ $0.uniqueValues { $0 % 2 } }, { $0.uniqueValues { $0 % 2 } }), [1, 2]
        ),
        (
            "scanMap",
            Same({ $0.scanMap(10) { ($0 + $1, $0 * $1) } }, { $0.scanMap(10) { ($0 + $1, $0 * $1) } }),
            [10, 11, 24, 42, 17]
        ),
        (
            "scanMap(into:)",
            Same(
                {
                    $0.scanMap(into: 10) { state, value in
                        state += value
                        return state * value
                    }
                },
                {
                    $0.scanMap(into: 10) { state, value in
                        state += value
                        return state * value
                    }
                }),
            [11, 12, 28, 51, 18]
        ),
        (
            "compactMap by skipNil",
            Same({ $0.map { $0 == 1 ? nil : $0 }.skipNil() }, { $0.map { $0 == 1 ? nil : $0 }.skipNil() }),
            [2, 3]
        ),
        (
            "combinePrevious",
            Same(
                { $0.combinePrevious().map { $0 * 10 + $1 } }, { $0.combinePrevious().map { $0 * 10 + $1 } }),
            [11, 12, 23, 31]
        ),
        (
            "combinePrevious(_:)",
            Same(
                { $0.combinePrevious(9).map { $0 * 10 + $1 } }, { $0.combinePrevious(9).map { $0 * 10 + $1 } }
            ),
            [91, 11, 12, 23, 31]
        ),
        ("on", Same({ $0.on() }, { $0.on() }), [1, 1, 2, 3, 1]),
        ("finally", Same({ $0.finally {} }, { $0.finally {} }), [1, 1, 2, 3, 1]),
    ]

    @Test(arguments: operators.indices, terminations)
    func valuesAndEnd(index: Int, termination: Signal<Int, TestError>.Event) {
        let (_, overloads, result) = Self.operators[index]
        overloads.expect(result.map { .value($0) } + [termination], of: [1, 1, 2, 3, 1], then: termination)
        overloads.expect([termination], of: [], then: termination)
    }

    @Test(arguments: operators.indices)
    func disposal(index: Int) {
        let (_, overloads, result) = Self.operators[index]
        overloads.expectDisposal(after: [1, 1, 2, 3, 1], gives: result.map { .value($0) })
    }

    @Test func negation() {
        let overloads = Overloads<Bool, TestError, Bool, TestError>({ $0.negate() }, { $0.negate() })
        overloads.expect([.value(false), .value(true), .completed], of: [true, false], then: .completed)
        overloads.expect([.failed(.second)], of: [], then: .failed(.second))
    }

    /// The comparison is with the value that was emitted last, and that value is the first argument.
    @Test func repeatsAreComparedWithTheLastEmittedValue() {
        let pairs = Atomic<[[Int]]>([])
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        signal.skipRepeats { last, next in
            pairs.modify { $0.append([last, next]) }
            return next < last + 2
        }.observe(recorder.observer)
        for value in [1, 2, 3, 4, 5] { input.send(value: value) }
        #expect(recorder.values == [1, 3, 5])
        #expect(pairs.value == [[1, 2], [1, 3], [3, 4], [3, 5]])
    }

    /// A closure with two parameters takes a pair apart. The test checks that the compiler finds the right `map`.
    @Test func closuresOfPairs() {
        let overloads = Overloads<Int, TestError, Int, TestError>(
            { $0.combinePrevious(0).map { $0 + $1 } }, { $0.combinePrevious(0).map { $0 + $1 } })
        overloads.expect([.value(1), .value(3), .completed], of: [1, 2], then: .completed)
    }

    /// Once `skip(while:)` has passed a value on, it doesn't call its predicate again.
    @Test func skippingEnds() {
        let calls = Atomic(0)
        let (signal, input) = Signal<Int, Never>.pipe()
        let skipped = signal.skip { value in
            calls.modify { $0 += 1 }
            return value < 2
        }
        for value in [1, 2, 1, 0] { input.send(value: value) }
        #expect(calls.value == 2)
        withExtendedLifetime(skipped) {}
    }

    @Test func optionals() {
        #expect(Int?(reconstructing: 3).optional == 3)
        #expect(Int?(reconstructing: nil).optional == nil)
        func unwrapped<Wrapper: OptionalProtocol>(_ wrapper: Wrapper) -> Wrapper.Wrapped? { wrapper.optional }
        #expect(unwrapped(Int?.some(1)) == 1)
    }

    /// The values that operators hold are released with the operators.
    @Test func leaks() {
        let leaks = LeakCounter()
        do {
            let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
            let outputs: [Any] = [
                signal.skipRepeats { $0 === $1 }, signal.combinePrevious(), signal.combinePrevious(leaks.token()),
                signal.uniqueValues { ObjectIdentifier($0) }, signal.map(value: leaks.token()), signal.take(last: 2),
                signal.collect(), signal.reduce(leaks.token()) { $1 },
            ]
            for _ in 0..<3 { input.send(value: leaks.token()) }
            #expect(leaks.count > 0)
            withExtendedLifetime(outputs) {}
        }
        #expect(leaks.count == 0)
        let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
        signal.take(last: 2).observeCompleted {}
        signal.collect().observeCompleted {}
        for _ in 0..<3 { input.send(value: leaks.token()) }
        #expect(leaks.count == 3)
        input.sendCompleted()
        #expect(leaks.count == 0)
    }
}

extension Int {
    fileprivate var successor: Int { self + 1 }
}
