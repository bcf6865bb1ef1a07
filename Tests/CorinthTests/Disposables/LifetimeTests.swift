import Corinth
import CorinthTesting
import Testing

@Suite("Lifetime")
struct LifetimeTests {
    @Test func `A lifetime ends when its token is disposed of: the actions run once, in order`() {
        let (lifetime, token) = Lifetime.make()
        let log = Atomic<[Int]>([])
        for index in 0..<3 { lifetime.observeEnded { log.modify { $0.append(index) } } }
        #expect(!lifetime.hasEnded)
        token.dispose()
        token.dispose()
        #expect(lifetime.hasEnded)
        #expect(log.value == [0, 1, 2])
    }

    @Test func `A lifetime ends when its token is deallocated`() {
        var token: Lifetime.Token? = Lifetime.Token()
        guard let lifetime = token.map({ Lifetime($0) }) else { return }
        let part = AnyDisposable()
        lifetime += part
        #expect(!lifetime.hasEnded)
        withExtendedLifetime(token) {}
        token = nil
        #expect(lifetime.hasEnded)
        #expect(part.isDisposed)
    }

    @Test func `An action that is registered after the end runs at once`() {
        let runs = Counter()
        #expect(Lifetime.empty.hasEnded)
        #expect(Lifetime.empty.observeEnded { runs.increment() } == nil)
        #expect(runs.value == 1)
        let part = AnyDisposable()
        #expect((Lifetime.empty += part) == nil)
        #expect(part.isDisposed)
    }

    @Test func `An action whose registration is disposed of doesn't run`() {
        let (lifetime, token) = Lifetime.make()
        let runs = Counter()
        lifetime.observeEnded { runs.increment() }?.dispose()
        token.dispose()
        #expect(runs.value == 0)
    }

    @Test func `The lifetime's signal completes at the end; after the end it completes at once`() {
        let (lifetime, token) = Lifetime.make()
        let recorder = EventRecorder<Never, Never>()
        lifetime.ended.observe(recorder.observer)
        #expect(recorder.events.isEmpty)
        token.dispose()
        #expect(recorder.events.map(\.description) == ["COMPLETED"])
        let late = EventRecorder<Never, Never>()
        lifetime.ended.observe(late.observer)
        #expect(late.events.map(\.description) == ["INTERRUPTED"])
    }

    @Test func `A signal of the lifetime's end is released when it has no observers`() {
        let (lifetime, token) = Lifetime.make()
        let leaks = LeakCounter()
        func observe() -> (any Disposable)? {
            let token = leaks.token()
            return lifetime.ended.observeCompleted { token.touch() }
        }
        let disposable = observe()
        #expect(leaks.count == 1)
        disposable?.dispose()
        #expect(leaks.count == 0)
        withExtendedLifetime(token) {}
    }
}
