import CTestSupport
@testable import Corinth
import Foundation
import Testing

/// What has ended is let go, also if its disposable is kept, and also in a scope that lives long.
@Suite("Ended streams")
struct EndedStreamsTests {
    @Test(arguments: ["completed", "failed", "interrupted"])
    func `An observation lets its signal go when that ends`(end: String) {
        let leaks = LeakCounter()
        func observe() -> (any Disposable)? {
            let (signal, input) = Signal<Int, TestError>.pipe(disposable: AnyDisposable())
            let token = leaks.token()
            // A derived signal, which keeps the other one.
            let mapped = signal.map { value in
                token.touch()
                return value
            }
            weak let core = mapped.core
            let observation = mapped.observe { _ in }
            #expect(core != nil)
            switch end {
            case "completed": input.sendCompleted()
            case "failed": input.send(error: .first)
            default: input.sendInterrupted()
            }
            return observation
        }
        let observation = observe()
        #expect(leaks.count == 0)
        // As in ReactiveSwift.
        #expect(observation?.isDisposed == false)
        observation?.dispose()
        observation?.dispose()
        #expect(observation?.isDisposed == true)
    }

    @Test func `After the end or the disposal of an observation, its signal goes, although the disposable is kept`() {
        weak var core: SignalCore<Int, Never>?
        func observe(_ body: (Signal<Int, Never>.Observer, (any Disposable)?) -> Void) -> (any Disposable)? {
            let (signal, input) = Signal<Int, Never>.pipe()
            core = signal.core
            let observation = signal.observeValues { _ in }
            body(input, observation)
            return observation
        }
        let ended = observe { input, _ in input.sendCompleted() }
        #expect(core == nil)
        let disposed = observe { _, observation in observation?.dispose() }
        #expect(core == nil)
        let both = observe { input, observation in
            input.sendCompleted()
            observation?.dispose()
        }
        #expect(core == nil)
        let inCallback = observe { input, observation in
            let (other, otherInput) = Signal<Int, Never>.pipe()
            other.observeCompleted {
                input.sendCompleted()
                observation?.dispose()
            }
            otherInput.sendCompleted()
        }
        #expect(core == nil)
        withExtendedLifetime((ended, disposed, both, inCallback)) {}
    }

    @Test func `An observer that disposes of its observation in a callback, also of the end, lets the signal go`() {
        for disposesAtEnd in [false, true] {
            weak var core: SignalCore<Int, Never>?
            let kept = SerialDisposable()
            func observe() {
                let (signal, input) = Signal<Int, Never>.pipe()
                core = signal.core
                kept.inner = signal.observe { event in
                    if disposesAtEnd == event.isTerminating { kept.inner?.dispose() }
                }
                input.send(value: 1)
                input.sendCompleted()
            }
            observe()
            #expect(core == nil, "disposesAtEnd: \(disposesAtEnd)")
        }
    }

    @Test func `Threads that dispose of observations while their signals end leave nothing behind`() {
        for _ in 0..<300 {
            weak var core: SignalCore<Int, Never>?
            let kept: [any Disposable]
            do {
                let (signal, input) = Signal<Int, Never>.pipe()
                core = signal.core
                let observations = (0..<3).compactMap { _ in signal.observeValues { _ in } }
                kept = observations
                let inputs = Holder(input)
                ThreadGroup.run(3) { thread in
                    if thread == 0 {
                        inputs.held.send(value: 1)
                        inputs.held.sendCompleted()
                    } else {
                        observations[thread].dispose()
                        observations[0].dispose()
                    }
                }
                inputs.release()
            }
            // The last change of the list may be left to a worker.
            let deadline = DispatchTime.now() + WaitLimit.seconds
            while core != nil {
                if DispatchTime.now() > deadline { WaitLimit.exceeded("the signal is still held") }
                Work.yield()
            }
            #expect(kept.map(\.isDisposed) == [true, true, true])
        }
    }

    #if DEBUG && !Exploration
        /// A scope that lives long, and in which short streams come and go.
        private struct Scope {
            let disposables = CompositeDisposable()
            let token = Lifetime.Token()
            let target = MutableProperty(0)
            var lifetime: Lifetime { Lifetime(token) }

            func observation() {
                let (signal, input) = Signal<Int, Never>.pipe()
                disposables += signal.map { $0 + 1 }.observeValues { _ in }
                lifetime += signal.observeValues { _ in }
                input.send(value: 1)
                input.sendCompleted()
            }

            func start() {
                let (signal, input) = Signal<Int, Never>.pipe()
                disposables += SignalProducer(signal).start()
                lifetime += SignalProducer<Int, Never> { observer, _ in observer.sendCompleted() }.start()
                input.sendCompleted()
            }

            func binding() {
                let (signal, input) = Signal<Int, Never>.pipe()
                disposables += target <~ signal
                lifetime += target <~ SignalProducer(signal).map { $0 + 1 }
                input.send(value: 1)
                input.sendCompleted()
            }

            func takeDuring() {
                let (signal, input) = Signal<Int, Never>.pipe()
                disposables += signal.take(during: lifetime).observeValues { _ in }
                disposables += SignalProducer(signal).take(during: lifetime).start()
                input.send(value: 1)
                input.sendCompleted()
            }

            func startWithSignal() {
                let (signal, input) = Signal<Int, Never>.pipe()
                SignalProducer(signal).startWithSignal { started, handle in
                    disposables += handle
                    lifetime += started.observeValues { _ in }
                }
                input.sendCompleted()
            }

            func disposal() {
                let (signal, input) = Signal<Int, Never>.pipe()
                let observation = signal.observeValues { _ in }
                let start = SignalProducer(signal).start()
                disposables += observation
                lifetime += start
                observation?.dispose()
                start.dispose()
                input.send(value: 1)
            }

            static let streams: [(name: String, run: @Sendable (Scope) -> Void)] = [
                ("observation", { $0.observation() }), ("start", { $0.start() }), ("binding", { $0.binding() }),
                ("take(during:)", { $0.takeDuring() }), ("startWithSignal", { $0.startWithSignal() }),
                ("disposal", { $0.disposal() }),
            ]
        }

        // In its own process, where no other code allocates.
        @Test func `Of 10,000 short streams of each kind in one scope, nothing stays`() async {
            await #expect(processExitsWith: .success) {
                let (scope, count) = (Scope(), Stress.fewer(10_000))
                for stream in Scope.streams {
                    // What is made once, and a number of ended streams that isn't exceeded later.
                    for _ in 0..<200 { stream.run(scope) }
                    let (objects, bytes) = (LiveObjects.now, Int(test_allocated_bytes()))
                    for _ in 0..<count { stream.run(scope) }
                    let (later, grown) = (LiveObjects.now, Int(test_allocated_bytes()) - bytes)
                    // At most 64 ended streams more than before. An observation that has ended keeps no signal.
                    precondition(
                        later.signals <= objects.signals && later.starts <= objects.starts + 128
                            && later.observations <= objects.observations + 128,
                        "\(stream.name): \(later), before: \(objects)")
                    precondition(grown < 32_768, "\(stream.name): \(grown) bytes stay of \(count) streams")
                }
                precondition(!scope.disposables.isDisposed && !scope.lifetime.hasEnded)
            }
        }

        @Test
        func `Each disposable of an ended stream that is kept takes at most 144 bytes, and one of an observation 48`()
            async
        {
            await #expect(processExitsWith: .success) {
                // What it notes of each object in a debug build isn't the object's.
                Inspector.stop()
                func bytes(_ run: () -> (any Disposable)?) -> Int {
                    var kept: [(any Disposable)?] = []
                    kept.reserveCapacity(10_100)
                    for _ in 0..<100 { kept.append(run()) }
                    let before = Int(test_allocated_bytes())
                    for _ in 0..<10_000 { kept.append(run()) }
                    let grown = Int(test_allocated_bytes()) - before
                    withExtendedLifetime(kept) {}
                    return grown / 10_000
                }
                let target = MutableProperty(0)
                let observation = bytes {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let observation = signal.observeValues { _ in }
                    input.sendCompleted()
                    return observation
                }
                precondition(observation <= 48, "\(observation) bytes for each observation")
                let binding = bytes {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let binding = target <~ signal
                    input.sendCompleted()
                    return binding
                }
                precondition(binding <= 144, "\(binding) bytes for each binding")
                let start = bytes {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let start = SignalProducer(signal).start()
                    input.sendCompleted()
                    return start
                }
                precondition(start <= 144, "\(start) bytes for each start")

            }
        }
    #endif
}
