import Corinth
import Testing

@Suite("AnyDisposable, ScopedDisposable, SerialDisposable")
struct AnyDisposableTests {
    @Test func `The action runs once, and its captures are released at once`() {
        let leaks = LeakCounter()
        let runs = Counter()
        func make() -> AnyDisposable {
            let token = leaks.token()
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
        #expect(leaks.count == 0)
    }

    @Test func `A disposable that is released without disposal doesn't run its action`() {
        let leaks = LeakCounter()
        let runs = Counter()
        func make() {
            let token = leaks.token()
            _ = AnyDisposable {
                token.touch()
                runs.increment()
            }
        }
        make()
        #expect(runs.value == 0)
        #expect(leaks.count == 0)
    }

    @Test func `A wrapper disposes of the wrapped disposable; a disposable without an action only stores its state`() {
        let inner = AnyDisposable()
        AnyDisposable(inner).dispose()
        #expect(inner.isDisposed)
    }

    @Test func `The action sees its disposable as disposed of, and may call dispose() again`() {
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

    @Test func `A scoped disposable disposes of the inner one when it is deallocated`() {
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

    @Test func `A serial disposable disposes of the replaced one, and of one that is set after its own disposal`() {
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
