@testable import Corinth
import Testing

@Suite("CompositeDisposable")
struct CompositeDisposableTests {
    @Test func `A composite disposes of everything that was added, in insertion order, once`() {
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

    @Test func `A disposable that is added after the disposal is disposed of at once`() {
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

    @Test func `A handle removes a disposable without disposing of it, and releases it`() {
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

    @Test func `After many removals, the remaining disposables are disposed of in order`() {
        let log = Atomic<[Int]>([])
        let composite = CompositeDisposable()
        let handles = (0..<200).map { index in composite.add { log.modify { $0.append(index) } } }
        for index in 0..<200 where index % 7 != 0 { handles[index]?.dispose() }
        composite.add { log.modify { $0.append(200) } }
        composite.dispose()
        #expect(log.value == Array(stride(from: 0, to: 200, by: 7)) + [200])
    }

    @Test func `A composite can be made from a sequence; nil elements are ignored`() {
        let parts = (0..<3).map { _ in AnyDisposable() }
        CompositeDisposable(parts as [any Disposable]).dispose()
        #expect(parts.map(\.isDisposed) == [true, true, true])
        let some: [(any Disposable)?] = [AnyDisposable(), nil, AnyDisposable()]
        CompositeDisposable(some).dispose()
        #expect(some.map { $0?.isDisposed } == [true, nil, true])
    }

    @Test func `A composite that is released disposes of nothing and holds nothing`() {
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

    @Test func `A disposable may add to, remove from and dispose of the composite that disposes of it`() {
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

    @Test func `Removed disposables leave no entry behind, in any number and order`() {
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

    @Test
    func `Concurrent additions and removals leave no entry behind, and the remaining disposables are disposed of once`()
    {
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

    @Test func `A kept object is released on request, with the disposal, or with the composite, and not before`() {
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

    @Test func `A handle outlives its composite`() {
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

    // MARK: What has ended

    @Test func `What has ended is let go when the number has doubled, and the rest is disposed of in order`() {
        let composite = CompositeDisposable()
        let log = Atomic<[Int]>([])
        let leaks = LeakCounter()
        for number in 0..<2_000 {
            // Every seventh stays.
            let part = AnyDisposable { [token = leaks.token()] in
                token.touch()
                log.modify { $0.append(number) }
            }
            composite += part
            if number % 7 != 0 { composite += EndedByItself(leaks.token()) }
            if number % 70 == 0 { composite += { log.modify { $0.append(-number) } } }
        }
        // 2,000 disposables, and fewer of those that have ended than there are others.
        #expect(leaks.count < 4_000 + 32)
        composite.dispose()
        let expected: [Int] = (0..<2_000).flatMap { (number: Int) -> [Int] in
            number % 70 == 0 ? [number, -number] : [number]
        }
        #expect(log.value == expected)
        #expect(leaks.count == 0)
    }

    @Test(arguments: [0, 5, 500])
    func `However many have ended, few stay beside those that haven't`(live: Int) {
        let composite = CompositeDisposable()
        let leaks = LeakCounter()
        for _ in 0..<live { composite += AnyDisposable() }
        for _ in 0..<20_000 { composite += EndedByItself(leaks.token()) }
        #expect(leaks.count <= max(32, 2 * live + 1))
        withExtendedLifetime(composite) {}
    }

    @Test func `A closure stays, and so does what hasn't ended; a handle of what was let go is disposed of`() {
        let composite = CompositeDisposable()
        let runs = Counter()
        let closure = composite.add { runs.increment() }
        let part = AnyDisposable { runs.increment() }
        let open = composite.add(part)
        let over = composite.add(EndedByItself(nil))
        #expect(over?.isDisposed == false)
        for _ in 0..<100 { composite += EndedByItself(nil) }
        #expect(closure?.isDisposed == false && open?.isDisposed == false && over?.isDisposed == true)
        over?.dispose()
        open?.dispose()
        composite.dispose()
        #expect(runs.value == 1 && !part.isDisposed)
    }

    @Test
    func `A disposable that is asked whether it has ended may add to the composite, remove from it and dispose of it`()
    {
        let composite = CompositeDisposable()
        let runs = Counter()
        let asked = Counter()
        let handle = composite.add { runs.increment() }
        composite += Asked {
            asked.increment()
            composite.add { runs.increment() }
            handle?.dispose()
            return false
        }
        composite += Asked {
            asked.increment()
            composite.dispose()
            return false
        }
        for _ in 0..<40 { composite.add { runs.increment() } }
        #expect(asked.value == 2 && composite.isDisposed)
        // The first closure was removed, and one was added instead.
        #expect(runs.value == 41)
    }

    @Test
    func `While threads add what ends, remove and dispose, each disposable that hasn't ended is disposed of once`() {
        for _ in 0..<20 {
            let composite = CompositeDisposable()
            let leaks = LeakCounter()
            let (runs, removed) = (Counter(), Counter())
            ThreadGroup.run(4) { thread in
                for number in 0..<500 {
                    composite += EndedByItself(leaks.token())
                    let handle = composite.add(AnyDisposable { runs.increment() })
                    if number % 3 == 0, let handle, !handle.isDisposed {
                        handle.dispose()
                        removed.increment()
                    }
                    if thread == 0, number == 400 { composite.dispose() }
                }
            }
            #expect(leaks.count == 0)
            // Of those that were removed, some may have been disposed of just before.
            #expect(runs.value <= 2_000 && runs.value + removed.value >= 2_000)
        }
    }

    /// A disposable that has ended.
    private final class EndedByItself: Disposable, @unchecked Sendable {
        private let token: AnyObject?

        init(_ token: AnyObject?) { self.token = token }

        var isDisposed: Bool { true }

        func dispose() {}
    }

    /// A disposable that runs a closure when it is asked whether it was disposed of.
    private final class Asked: Disposable, @unchecked Sendable {
        private let answer: () -> Bool

        init(_ answer: @escaping () -> Bool) { self.answer = answer }

        var isDisposed: Bool { answer() }

        func dispose() {}
    }
}
