import Corinth
import CorinthTesting
import Testing

/// Law S3: how long a signal lives, and what it lets go of.
@Suite("Signal: lifetime")
struct SignalLifetimeTests {
    @Test("S3: a signal that nobody refers to or observes lets go of its resources, once")
    func unreachable() {
        let disposals = Counter()
        var pipe: (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)? =
            Signal.pipe(disposable: AnyDisposable { disposals.increment() })
        let input = pipe?.input
        pipe = nil
        #expect(disposals.value == 1)
        input?.send(value: 1)
        input?.sendCompleted()
        #expect(disposals.value == 1)
    }

    @Test("S3: an observed signal lives on without a reference, until its last observer leaves")
    func observedIsAlive() {
        let disposals = Counter()
        let recorder = EventRecorder<Int, Never>()
        func make() -> (Signal<Int, Never>.Observer, [(any Disposable)?]) {
            let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposals.increment() })
            return (input, [output.observe(recorder.observer), output.observeValues { _ in }])
        }
        let (input, disposables) = make()
        input.send(value: 1)
        #expect(recorder.values == [1])
        disposables[0]?.dispose()
        #expect(disposals.value == 0)
        disposables[1]?.dispose()
        #expect(disposals.value == 1)
        input.send(value: 2)
        #expect(recorder.events == [.value(1)])
    }

    @Test("S3: a reachable signal lives on without observers")
    func reachableIsAlive() {
        let disposals = Counter()
        let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposals.increment() })
        output.observeValues { _ in }?.dispose()
        #expect(disposals.value == 0)
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.values == [1])
    }

    @Test("S3: the end disposes of the resources, after the observers have heard of it, once")
    func endDisposes() {
        let log = Atomic<[String]>([])
        let (output, input) = Signal<Int, Never>.pipe(
            disposable: AnyDisposable { log.modify { $0.append("disposed") } })
        output.observeCompleted { log.modify { $0.append("completed") } }
        input.sendCompleted()
        input.sendInterrupted()
        withExtendedLifetime(output) {}
        #expect(log.value == ["completed", "disposed"])
    }

    @Test("S3: the generator's lifetime ends with the signal")
    func generatorLifetime() {
        let ends = Counter()
        let kept = Atomic<Signal<Int, Never>.Observer?>(nil)
        let signal = Signal<Int, Never> { observer, lifetime in
            kept.value = observer
            lifetime.observeEnded { ends.increment() }
        }
        #expect(ends.value == 0)
        kept.value?.sendCompleted()
        #expect(ends.value == 1)
        withExtendedLifetime(signal) {}
    }

    @Test("The input that goes interrupts the signal")
    func inputGoes() {
        let recorder = EventRecorder<Int, Never>()
        var input: Signal<Int, Never>.Observer?
        let output: Signal<Int, Never>
        (output, input) = Signal<Int, Never>.pipe()
        output.observe(recorder.observer)
        input?.send(value: 1)
        input = nil
        #expect(recorder.events == [.value(1), .interrupted])
    }

    @Test("What an observer's closures hold is let go of when it leaves, and when the signal ends")
    func closuresAreReleased() {
        let live = Live()
        let (output, input) = Signal<Int, Never>.pipe()
        func observe() -> (any Disposable)? {
            let token = live.token()
            return output.observe { _ in token.touch() }
        }
        let disposables = (0..<5).map { _ in observe() }
        #expect(live.count == 5)
        disposables[2]?.dispose()
        #expect(live.count == 4)
        disposables[4]?.dispose()
        #expect(live.count == 3)
        input.sendCompleted()
        #expect(live.count == 0)
        withExtendedLifetime(disposables) {}
    }

    @Test("What an operator's closure holds is let go of with the operator, and when the source ends")
    func operatorsAreReleased() {
        let live = Live()
        let (output, input) = Signal<Int, Never>.pipe()
        func derive() -> Signal<Int, Never> {
            let token = live.token()
            return output.map { value in
                token.touch()
                return value
            }.filter { $0 > 0 }
        }
        var unobserved: Signal<Int, Never>? = derive()
        #expect(live.count == 1)
        withExtendedLifetime(unobserved) {}
        unobserved = nil
        #expect(live.count == 0)
        let observed = derive().observeValues { _ in }
        #expect(live.count == 1)
        observed?.dispose()
        #expect(live.count == 0)
        derive().observeValues { _ in }
        input.sendCompleted()
        #expect(live.count == 0)
    }

    @Test("S3: a chain is kept alive by the observer at its end, and let go of as a whole")
    func chain() {
        let disposals = Counter()
        let recorder = EventRecorder<Int, Never>()
        func make() -> (Signal<Int, Never>.Observer, (any Disposable)?) {
            let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposals.increment() })
            return (input, output.map { $0 + 1 }.filter { $0 > 0 }.map { $0 * 2 }.observe(recorder.observer))
        }
        let (input, disposable) = make()
        input.send(value: 1)
        #expect(recorder.values == [4])
        #expect(disposals.value == 0)
        disposable?.dispose()
        #expect(disposals.value == 1)
    }

    @Test("Letting go of a chain of 100,000 operators uses no stack")
    func longChain() {
        let disposals = Counter()
        func make() -> (Signal<Int, Never>.Observer, (any Disposable)?) {
            let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposals.increment() })
            var last = output
            for _ in 0..<100_000 { last = last.filter { _ in true } }
            return (input, last.observeValues { _ in })
        }
        let (input, disposable) = make()
        disposable?.dispose()
        #expect(disposals.value == 1)
        withExtendedLifetime(input) {}
    }

    @Test("Disposing after the end, and of a signal that is gone, is harmless")
    func disposeLate() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let disposable = output.observe(recorder.observer)
        input.sendCompleted()
        disposable?.dispose()
        disposable?.dispose()
        #expect(recorder.events == [.completed])
    }
}
