import Corinth
import CorinthTesting
import Testing

/// P4: recursive producers take constant stack. Each test runs on a thread with 512 KiB of stack.
struct RecursionTests {
    /// A million in optimised code. In other code, a hundred thousand take as long.
    static let rounds = isOptimised ? 1_000_000 : 100_000

    static var isOptimised: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// Runs `body` on a thread with a small stack.
    func onSmallStack(_ body: @escaping @Sendable () -> Void) { ThreadGroup.run(1) { _ in body() } }

    /// Returns the count and the sum of a producer's values, and its end.
    static func outcome(_ producer: SignalProducer<Int, TestError>) -> (count: Int, sum: Int, end: String) {
        let recorder = Atomic((0, 0, "none"))
        producer.start { event in
            recorder.modify { state in
                if let value = event.value {
                    state.0 += 1
                    state.1 += value
                } else {
                    state.2 = event.description
                }
            }
        }
        return recorder.value
    }

    @Test func repeatedOften() {
        onSmallStack {
            let result = Self.outcome(SignalProducer(value: 1).repeat(Self.rounds))
            #expect(result == (Self.rounds, Self.rounds, "COMPLETED"))
        }
    }

    @Test func repeatedGenerator() {
        onSmallStack {
            let producer = SignalProducer<Int, TestError> { observer, _ in
                observer.send(value: 1)
                observer.sendCompleted()
            }
            let result = Self.outcome(producer.repeat(Self.rounds / 10))
            #expect(result == (Self.rounds / 10, Self.rounds / 10, "COMPLETED"))
        }
    }

    @Test func retriedOften() {
        onSmallStack {
            let result = Self.outcome(SignalProducer(error: .first).retry(upTo: Self.rounds))
            #expect(result == (0, 0, "FAILED first"))
        }
    }

    @Test func concatenatedMany() {
        onSmallStack {
            let producers = (0..<Self.rounds).lazy.map { _ in SignalProducer<Int, TestError>(value: 1) }
            let result = Self.outcome(
                SignalProducer<SignalProducer<Int, TestError>, TestError>(producers).flatten(.concat))
            #expect(result == (Self.rounds, Self.rounds, "COMPLETED"))
        }
    }

    /// Queued streams of a `concat` run one after another and don't nest.
    @Test func concatenatedThatWait() {
        onSmallStack {
            let (signal, input) = Signal<SignalProducer<Int, TestError>, TestError>.pipe()
            let (first, firstInput) = Signal<Int, TestError>.pipe()
            let recorder = Atomic(0)
            signal.flatten(.concat).observe { if let value = $0.value { recorder.modify { $0 += value } } }
            input.send(value: first.producer)
            let one = SignalProducer<Int, TestError> { observer, _ in
                observer.send(value: 1)
                observer.sendCompleted()
            }
            for _ in 0..<10_000 { input.send(value: one) }
            firstInput.sendCompleted()
            #expect(recorder.value == 10_000)
        }
    }

    /// A producer whose last step is a flat map into itself.
    @Test(arguments: [FlattenStrategy.merge, .concat, .latest, .race, .throttle])
    func flatMapsIntoItself(strategy: FlattenStrategy) {
        @Sendable func count(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer(value: number).flatMap(strategy) { number in
                number == Self.rounds ? SignalProducer(value: number) : count(number + 1)
            }
        }
        onSmallStack {
            let result = Self.outcome(count(0))
            #expect(result == (1, Self.rounds, "COMPLETED"))
        }
    }

    @Test func concatenatesItself() {
        @Sendable func count(_ number: Int) -> SignalProducer<Int, TestError> {
            if number == Self.rounds { return .empty }
            return SignalProducer(value: 1).concat(SignalProducer(value: number + 1).flatMap(.concat, count))
        }
        onSmallStack {
            let result = Self.outcome(count(0))
            #expect(result == (Self.rounds, Self.rounds, "COMPLETED"))
        }
    }

    @Test func thenItself() {
        @Sendable func count(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer(value: number).flatMap(.merge) { number in
                number == Self.rounds ? .empty : SignalProducer<Int, TestError>(value: 0).then(count(number + 1))
            }
        }
        onSmallStack { #expect(Self.outcome(count(0)) == (0, 0, "COMPLETED")) }
    }

    @Test func recoversFromItself() {
        @Sendable func count(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer<Int, TestError>(error: .first).flatMapError { _ in
                SignalProducer(value: number).flatMap(.merge) { (number: Int) -> SignalProducer<Int, TestError> in
                    number == Self.rounds ? SignalProducer(value: number) : count(number + 1)
                }
            }
        }
        onSmallStack { #expect(Self.outcome(count(0)) == (1, Self.rounds, "COMPLETED")) }
    }

    /// The library can't know that the outer producer sends one value, so each level stays open until the last one ends.
    @Test(arguments: [FlattenStrategy.merge, .concat, .latest, .race, .throttle])
    func levelsThatStayOpen(strategy: FlattenStrategy) {
        let levels = 20_000
        @Sendable func descend(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer<Int, TestError> { observer, _ in
                observer.send(value: number)
                observer.sendCompleted()
            }
            .flatMap(strategy) { (number: Int) -> SignalProducer<Int, TestError> in
                number == levels ? .empty : descend(number + 1)
            }
        }
        onSmallStack { #expect(Self.outcome(descend(0)) == (0, 0, "COMPLETED")) }
    }

    /// Disposing of deeply nested streams takes constant stack.
    @Test func disposalOfManyLevels() {
        let levels = 20_000
        let leaks = LeakCounter()
        @Sendable func descend(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer<Int, TestError> { [token = leaks.token()] observer, lifetime in
                lifetime.observeEnded { token.touch() }
                observer.send(value: number)
            }
            .flatMap(.merge) { (number: Int) -> SignalProducer<Int, TestError> in
                number == levels ? .never : descend(number + 1)
            }
        }
        onSmallStack {
            let end = Atomic("none")
            let disposable = descend(0).start { end.value = $0.description }
            disposable.dispose()
            #expect(end.value == "INTERRUPTED")
        }
        #expect(leaks.count == 0)
    }

    /// Runs `body` inside `depth` nested starts.
    private func nested(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
        @Sendable func level(_ number: Int) -> SignalProducer<Int, Never> {
            SignalProducer<Int, Never> { observer, _ in
                if number == 0 { body() }
                observer.send(value: number)
                observer.sendCompleted()
            }
            .flatMap(.merge) { $0 == 0 ? .empty : level($0 - 1) }
        }
        level(depth).start()
    }

    /// A user's call has taken effect when it returns, at any nesting depth of starts.
    @Test func callsInsideDeepNesting() {
        for depth in [1, 20, 63, 64, 65, 100, 128, 192, 200] {
            let ran = Atomic(0)
            nested(depth) {
                let base = MutableProperty(1)
                let inner = MutableProperty(42)
                let composed = base.flatMap(.latest) { _ in inner }
                #expect(composed.value == 42, "\(depth)")
                #expect(base.zip(with: inner).value == (1, 42), "\(depth)")
                let later = Property(
                    initial: 0, then: SignalProducer(value: 7).flatMap(.merge) { SignalProducer([$0]) })
                #expect(later.value == 7, "\(depth)")
                let target = MutableProperty(0)
                target <~ SignalProducer(value: 5).flatMap(.concat) { SignalProducer([$0]) }
                #expect(target.value == 5, "\(depth)")
                let ended = Atomic(0)
                let handle = SignalProducer<Int, Never> { _, lifetime in
                    lifetime.observeEnded { ended.modify { $0 += 1 } }
                }
                .flatMap(.merge) { SignalProducer(value: $0) }.start()
                #expect(ended.value == 0, "\(depth)")
                handle.dispose()
                #expect(ended.value == 1, "\(depth)")
                ran.modify { $0 += 1 }
            }
            #expect(ran.value == 1)
        }
    }

    /// A start inside many nested ones also delivers before it returns, because its caller depends on that.
    @Test func startsInsideDeepNesting() {
        let atOnce = Atomic(0)
        @Sendable func descend(_ number: Int) -> SignalProducer<Int, TestError> {
            SignalProducer<Int, TestError> { observer, _ in
                let sum = Atomic(0)
                SignalProducer<Int, Never>([1, 2]).flatMap(.merge) { SignalProducer<Int, Never>([$0, $0]) }
                    .startWithValues { value in sum.modify { $0 += value } }
                SignalProducer<Int, Never>([1, 2]).flatMap(.merge) { SignalProducer<Int, Never>([$0, $0]) }
                    .startWithSignal { signal, _ in
                        signal.observeValues { value in sum.modify { $0 += value } }
                    }
                if sum.value == 12 { atOnce.modify { $0 += 1 } }
                observer.send(value: number)
                observer.sendCompleted()
            }
            .flatMap(.merge) { (number: Int) -> SignalProducer<Int, TestError> in
                number == 200 ? .empty : descend(number + 1)
            }
        }
        #expect(Self.outcome(descend(0)).end == "COMPLETED")
        #expect(atOnce.value == 201)
    }
}
