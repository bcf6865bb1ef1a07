import Corinth
import CorinthTesting
import Testing

/// Law S3: how long a signal stays alive, and what it releases.
@Suite("Signal: lifetime")
struct SignalLifetimeTests {
    @Test func `S3: a signal without references and observers releases its resources, once`() {
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

    @Test func `S3: an observed signal stays alive without references, until its last observer is removed`() {
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

    @Test func `S3: a referenced signal stays alive without observers`() {
        let disposals = Counter()
        let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { disposals.increment() })
        output.observeValues { _ in }?.dispose()
        #expect(disposals.value == 0)
        let recorder = EventRecorder<Int, Never>()
        output.observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.values == [1])
    }

    @Test func `S3: the end disposes of the resources once, after the observers have received it`() {
        let log = Atomic<[String]>([])
        let (output, input) = Signal<Int, Never>.pipe(
            disposable: AnyDisposable { log.modify { $0.append("disposed") } })
        output.observeCompleted { log.modify { $0.append("completed") } }
        input.sendCompleted()
        input.sendInterrupted()
        withExtendedLifetime(output) {}
        #expect(log.value == ["completed", "disposed"])
    }

    @Test func `S3: the generator's lifetime ends with the signal`() {
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

    @Test func `The signal is interrupted when its input is released`() {
        let recorder = EventRecorder<Int, Never>()
        var input: Signal<Int, Never>.Observer?
        let output: Signal<Int, Never>
        (output, input) = Signal<Int, Never>.pipe()
        output.observe(recorder.observer)
        input?.send(value: 1)
        input = nil
        #expect(recorder.events == [.value(1), .interrupted])
    }

    @Test func `An observer's closures are released when it is removed, and when the signal ends`() {
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        func observe() -> (any Disposable)? {
            let token = leaks.token()
            return output.observe { _ in token.touch() }
        }
        let disposables = (0..<5).map { _ in observe() }
        #expect(leaks.count == 5)
        disposables[2]?.dispose()
        #expect(leaks.count == 4)
        disposables[4]?.dispose()
        #expect(leaks.count == 3)
        input.sendCompleted()
        #expect(leaks.count == 0)
        withExtendedLifetime(disposables) {}
    }

    @Test func `An operator's closure is released with the operator, and when the source ends`() {
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        func derive() -> Signal<Int, Never> {
            let token = leaks.token()
            return output.map { value in
                token.touch()
                return value
            }.filter { $0 > 0 }
        }
        var unobserved: Signal<Int, Never>? = derive()
        #expect(leaks.count == 1)
        withExtendedLifetime(unobserved) {}
        unobserved = nil
        #expect(leaks.count == 0)
        let observed = derive().observeValues { _ in }
        #expect(leaks.count == 1)
        observed?.dispose()
        #expect(leaks.count == 0)
        derive().observeValues { _ in }
        input.sendCompleted()
        #expect(leaks.count == 0)
    }

    @Test func `S3: the observer at its end keeps a chain alive, and the chain is released as a whole`() {
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

    @Test func `Releasing a chain of 100,000 operators takes constant stack`() {
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

    /// A signal of an operator whose closure captures `token`.
    private static func derived(
        by name: String, from source: Signal<Int, Never>, capturing token: LeakCounter.Token
    ) -> Signal<Int, Never> {
        switch name {
        case "map":
            source.map { value in
                token.touch()
                return value
            }
        case "filter":
            source.filter { _ in
                token.touch()
                return true
            }
        default:
            source.compactMap { value in
                token.touch()
                return value
            }
        }
    }

    @Test(arguments: ["map", "filter", "compactMap"])
    func `When the source has ended, an operator's closure is released, even if the result is referenced`(name: String)
    {
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let result = Self.derived(by: name, from: output, capturing: leaks.token())
        result.observe(recorder.observer)
        input.send(value: 1)
        #expect(leaks.count == 1)
        input.sendCompleted()
        #expect(leaks.count == 0)
        #expect(recorder.events == [.value(1), .completed])
        // Derived from a signal that has ended.
        let late = Self.derived(by: name, from: output, capturing: leaks.token())
        #expect(leaks.count == 0)
        withExtendedLifetime((result, late)) {}
    }

    @Test(arguments: ["map", "filter", "compactMap"])
    func `When nothing observes the result any more, an operator's closure is released, even from inside a callback`(
        name: String
    ) {
        let leaks = LeakCounter()
        let (output, input) = Signal<Int, Never>.pipe()
        func observe(_ action: @escaping @Sendable (Int) -> Void) -> (any Disposable)? {
            Self.derived(by: name, from: output, capturing: leaks.token()).observeValues(action)
        }
        let first = observe { _ in }
        #expect(leaks.count == 1)
        first?.dispose()
        #expect(leaks.count == 0)

        let disposal = SerialDisposable()
        disposal.inner = observe { _ in disposal.dispose() }
        #expect(leaks.count == 1)
        input.send(value: 1)
        #expect(leaks.count == 0)
        withExtendedLifetime((first, disposal, output)) {}
    }

    @Test func `Disposing after the end, or after the signal was deallocated, has no effect`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let disposable = output.observe(recorder.observer)
        input.sendCompleted()
        disposable?.dispose()
        disposable?.dispose()
        #expect(recorder.events == [.completed])
    }
}
