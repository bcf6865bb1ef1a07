@testable import Corinth
import Testing

@Suite("CompositeDisposable")
struct CompositeDisposableTests {
    @Test("A composite disposes of everything that was added, in insertion order, once")
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

    @Test("A disposable that is added after the disposal is disposed of at once")
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

    @Test("A handle removes a disposable without disposing of it, and releases it")
    func takingOut() {
        let composite = CompositeDisposable()
        let leaks = LeakCounter()
        func add() -> (any Disposable)? {
            let token = leaks.token()
            return composite.add { token.touch() }
        }
        let handles = (0..<100).map { _ in add() }
        for (index, handle) in handles.enumerated() where index % 10 != 0 { handle?.dispose() }
        #expect(leaks.count == 10)
        composite.dispose()
        #expect(leaks.count == 0)
    }

    @Test("After many removals, the remaining disposables are disposed of in order")
    func orderAfterTakingOut() {
        let log = Atomic<[Int]>([])
        let composite = CompositeDisposable()
        let handles = (0..<200).map { index in composite.add { log.modify { $0.append(index) } } }
        for index in 0..<200 where index % 7 != 0 { handles[index]?.dispose() }
        composite.add { log.modify { $0.append(200) } }
        composite.dispose()
        #expect(log.value == Array(stride(from: 0, to: 200, by: 7)) + [200])
    }

    @Test("A composite can be made from a sequence; nil elements are ignored")
    func ofSequences() {
        let parts = (0..<3).map { _ in AnyDisposable() }
        CompositeDisposable(parts as [any Disposable]).dispose()
        #expect(parts.map(\.isDisposed) == [true, true, true])
        let some: [(any Disposable)?] = [AnyDisposable(), nil, AnyDisposable()]
        CompositeDisposable(some).dispose()
        #expect(some.map { $0?.isDisposed } == [true, nil, true])
    }

    @Test("A composite that is released disposes of nothing and holds nothing")
    func release() {
        let leaks = LeakCounter()
        let runs = Counter()
        func make() {
            let composite = CompositeDisposable()
            for _ in 0..<10 {
                let token = leaks.token()
                composite.add {
                    token.touch()
                    runs.increment()
                }
            }
        }
        make()
        #expect(leaks.count == 0)
        #expect(runs.value == 0)
    }

    @Test("A disposable may add to, remove from and dispose of the composite that disposes of it")
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

    /// A weak reference to the entry, which is also the handle.
    private struct Entry {
        weak var handle: (any Disposable)?
    }

    @Test("Removed disposables leave no entry behind, in any number and order")
    func churn() {
        let composite = CompositeDisposable()
        let log = Atomic<[Int]>([])
        composite.add { log.modify { $0.append(-1) } }
        var entries: [Entry] = []
        func run(_ order: (Range<Int>) -> [Int]) {
            let handles = (0..<100).map { number in composite.add { log.modify { $0.append(number) } } }
            entries += handles.map { Entry(handle: $0) }
            for index in order(0..<100) { handles[index]?.dispose() }
        }
        for _ in 0..<20 {
            run { Array($0) }
            run { $0.reversed() }
            run { $0.shuffled() }
        }
        #expect(entries.count == 6_000)
        #expect(entries.allSatisfy { $0.handle == nil })
        composite.add { log.modify { $0.append(-2) } }
        composite.dispose()
        #expect(log.value == [-1, -2])
    }

    @Test("Concurrent additions and removals leave no entry behind, and the remaining disposables are disposed of once")
    func threads() {
        let composite = CompositeDisposable()
        let (leaks, runs) = (LeakCounter(), Counter())
        let entries = Atomic<[Entry]>([])
        ThreadGroup.run(4) { _ in
            var mine: [Entry] = []
            for number in 0..<1_000 {
                let handle = composite.add { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                }
                if number % 10 == 0 { continue }
                mine.append(Entry(handle: handle))
                handle?.dispose()
            }
            entries.modify { $0 += mine }
        }
        #expect(entries.value.count == 3_600)
        #expect(entries.value.allSatisfy { $0.handle == nil })
        #expect(leaks.count == 400)
        composite.dispose()
        #expect(runs.value == 400)
        #expect(leaks.count == 0)
    }

    @Test("A kept object is released on request, with the disposal, or with the composite, and not before")
    func keptObject() {
        let leaks = LeakCounter()
        var composite: CompositeDisposable? = CompositeDisposable()
        #expect(composite?.keep(leaks.token()) == true)
        composite?.add {}
        #expect(composite?.isDisposed == false && leaks.count == 1)
        composite?.releaseKept()
        composite?.releaseKept()
        #expect(leaks.count == 0)
        #expect(composite?.keep(leaks.token()) == true)
        composite?.add { #expect(leaks.count == 1) }
        composite?.dispose()
        #expect(leaks.count == 0)
        #expect(composite?.keep(leaks.token()) == false)
        composite?.releaseKept()
        #expect(leaks.count == 0)
        composite = CompositeDisposable()
        #expect(composite?.keep(leaks.token()) == true && leaks.count == 1)
        composite = nil
        #expect(leaks.count == 0)
    }

    @Test("A handle outlives its composite")
    func handleAfterComposite() {
        let leaks = LeakCounter()
        var composite: CompositeDisposable? = CompositeDisposable()
        let handles = (0..<3).map { _ in composite?.add { [token = leaks.token()] in token.touch() } }
        weak let gone = composite
        handles[1]?.dispose()
        composite = nil
        #expect(gone == nil)
        #expect(leaks.count == 2)
        for handle in handles { handle?.dispose() }
        #expect(leaks.count == 0)
    }
}
