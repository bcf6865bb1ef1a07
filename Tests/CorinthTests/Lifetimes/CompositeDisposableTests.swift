import Corinth
import Testing

@Suite("CompositeDisposable")
struct CompositeDisposableTests {
    @Test("Disposes of everything that was added, in that order, once")
    func order() {
        let log = Atomic<[Int]>([])
        let composite = CompositeDisposable()
        for index in 0..<5 { composite.add { log.modify { $0.append(index) } } }
        composite += AnyDisposable { log.modify { $0.append(5) } }
        composite += { log.modify { $0.append(6) } }
        #expect(!composite.isDisposed)
        composite.dispose()
        composite.dispose()
        #expect(log.value == Array(0...6))
        #expect(composite.isDisposed)
    }

    @Test("What is added too late is disposed of at once")
    func late() {
        let composite = CompositeDisposable()
        composite.dispose()
        let part = AnyDisposable()
        #expect(composite.add(part) == nil)
        #expect(part.isDisposed)
        let runs = Counter()
        #expect((composite += { runs.increment() }) == nil)
        #expect(runs.value == 1)
        #expect(composite.add(nil) == nil)
    }

    @Test("A handle takes a disposable out without disposing of it, and lets go of it")
    func takingOut() {
        let composite = CompositeDisposable()
        let live = Live()
        func add() -> (any Disposable)? {
            let token = live.token()
            return composite.add { token.touch() }
        }
        let handles = (0..<100).map { _ in add() }
        for (index, handle) in handles.enumerated() where index % 10 != 0 { handle?.dispose() }
        #expect(live.count == 10)
        composite.dispose()
        #expect(live.count == 0)
    }

    @Test("What is left after many were taken out is disposed of in order")
    func orderAfterTakingOut() {
        let log = Atomic<[Int]>([])
        let composite = CompositeDisposable()
        let handles = (0..<200).map { index in composite.add { log.modify { $0.append(index) } } }
        for index in 0..<200 where index % 7 != 0 { handles[index]?.dispose() }
        composite.add { log.modify { $0.append(200) } }
        composite.dispose()
        #expect(log.value == Array(stride(from: 0, to: 200, by: 7)) + [200])
    }

    @Test("Made of a sequence; nil is passed over")
    func ofSequences() {
        let parts = (0..<3).map { _ in AnyDisposable() }
        CompositeDisposable(parts as [any Disposable]).dispose()
        #expect(parts.map(\.isDisposed) == [true, true, true])
        let some: [(any Disposable)?] = [AnyDisposable(), nil, AnyDisposable()]
        CompositeDisposable(some).dispose()
        #expect(some.map { $0?.isDisposed } == [true, nil, true])
    }

    @Test("One that is let go of disposes of nothing, and holds nothing")
    func lettingGo() {
        let live = Live()
        let runs = Counter()
        func make() {
            let composite = CompositeDisposable()
            for _ in 0..<10 {
                let token = live.token()
                composite.add {
                    token.touch()
                    runs.increment()
                }
            }
        }
        make()
        #expect(live.count == 0)
        #expect(runs.value == 0)
    }

    @Test("A disposable may add to, take out of and dispose of the composite that disposes of it")
    func recursion() {
        let composite = CompositeDisposable()
        let runs = Counter()
        let last = composite.add { runs.increment() }
        composite.add {
            composite.dispose()
            composite.add { runs.increment() }
            last?.dispose()
        }
        composite.dispose()
        #expect(runs.value == 2)
    }
}
