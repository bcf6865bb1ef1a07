import Corinth
import Testing

@Suite("AnyDisposable, ScopedDisposable, SerialDisposable")
struct AnyDisposableTests {
    @Test("The action runs once, and what it holds is let go of at once")
    func runsOnce() {
        let live = Live()
        let runs = Counter()
        func make() -> AnyDisposable {
            let token = live.token()
            return AnyDisposable {
                token.touch()
                runs.increment()
            }
        }
        let disposable = make()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        #expect(disposable.isDisposed)
        #expect(runs.value == 1)
        #expect(live.count == 0)
    }

    @Test("One that is let go of without having been disposed of doesn't run its action")
    func lettingGo() {
        let live = Live()
        let runs = Counter()
        func make() {
            let token = live.token()
            _ = AnyDisposable {
                token.touch()
                runs.increment()
            }
        }
        make()
        #expect(runs.value == 0)
        #expect(live.count == 0)
    }

    @Test("One that wraps another disposes of it; one of nothing only remembers")
    func wrapping() {
        let inner = AnyDisposable()
        AnyDisposable(inner).dispose()
        #expect(inner.isDisposed)
    }

    @Test("The action finds it disposed of, and may dispose of it again")
    func insideItsAction() {
        let serial = SerialDisposable()
        let seen = Atomic<Bool?>(nil)
        let disposable = AnyDisposable {
            seen.value = serial.inner?.isDisposed
            serial.inner?.dispose()
        }
        serial.inner = disposable
        disposable.dispose()
        #expect(seen.value == true)
    }

    @Test("A scoped disposable disposes of the inner one when it goes")
    func scoped() {
        let inner = CompositeDisposable()
        let runs = Counter()
        var scoped: ScopedDisposable<CompositeDisposable>? = ScopedDisposable(inner)
        if let scoped {
            scoped += { runs.increment() }
            scoped += AnyDisposable { runs.increment() }
            #expect(!scoped.isDisposed)
        }
        scoped = nil
        #expect(inner.isDisposed)
        #expect(runs.value == 2)
        let erased = AnyDisposable()
        ScopedDisposable(erased as any Disposable).dispose()
        #expect(erased.isDisposed)
    }

    @Test("A serial disposable disposes of what is replaced, and of what comes too late")
    func serial() {
        let parts = (0..<4).map { _ in AnyDisposable() }
        let serial = SerialDisposable(parts[0])
        serial.inner = parts[1]
        #expect(parts.map(\.isDisposed) == [true, false, false, false])
        serial.inner = nil
        #expect(parts.map(\.isDisposed) == [true, true, false, false])
        serial.inner = parts[2]
        #expect(serial.inner === parts[2])
        serial.dispose()
        #expect(serial.isDisposed)
        #expect(serial.inner == nil)
        serial.inner = parts[3]
        #expect(parts.map(\.isDisposed) == [true, true, true, true])
    }
}
