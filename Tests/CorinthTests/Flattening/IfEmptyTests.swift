import Corinth
import CorinthTesting
import Testing

struct IfEmptyTests {
    @Test(arguments: [
        ("--|", "--(ab|)"), ("|", "(ab|)"), ("-1-|", "-1-|"), ("1|", "1|"), ("--#", "--#"), ("--!", "--!"),
        ("-1-#", "-1-#"),
    ])
    func startsTheReplacementAfterACompletionWithoutAValue(source: String, result: String) {
        #expect(
            marbles(cold: Marbles(stringLiteral: source)) { source, _ in source.ifEmpty(SignalProducer(["a", "b"])) }
                == Marbles(stringLiteral: result))
    }

    @Test func aValueInItsPlace() {
        #expect(marbles(cold: "--|") { source, _ in source.ifEmpty(value: "x") } == "--(x|)")
        #expect(marbles(cold: "-1|") { source, _ in source.ifEmpty(value: "x") } == "-1|")
    }

    @Test func eachStartBeginsAnew() {
        let starts = Counter()
        let source = SignalProducer<Int, Never> { input, _ in
            if starts.increment() == 1 { input.send(value: 1) }
            input.sendCompleted()
        }
        let result = source.ifEmpty(value: 2)
        #expect((1...3).map { _ in result.first()?.get() } == [1, 2, 2])
    }

    @Test func disposalEndsTheReplacement() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold("-|").ifEmpty(scheduler.cold("-a-b-c|")))
        scheduler.advance(by: .seconds(3))
        recorder.disposable?.dispose()
        scheduler.run()
        #expect(recorder.marbles == "--a!")
    }

    @Test func `P4: a producer that replaces itself needs constant stack`() {
        let starts = Counter()
        @Sendable func next() -> SignalProducer<Int, Never> {
            SignalProducer { starts.increment() }
                .filter { $0 == 100_000 }
                .ifEmpty(SignalProducer(value: ()).flatMap(.concat) { _ in next() })
        }
        #expect(next().first()?.get() == 100_000)
    }
}
