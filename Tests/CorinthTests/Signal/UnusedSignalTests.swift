@testable import Corinth
import CorinthTesting
import Dispatch
import Testing

/// A stream of which nobody gets an event any more, while its last observer's callback is still in progress.
@Suite("Signals that are no longer used")
struct UnusedSignalTests {
    private static let hard = BufferingPolicy<Never>.blocking(capacity: 4, stallTimeout: .never)

    /// What is between a pipe and its observer.
    enum Form: CaseIterable {
        case inbox, hop, derived, hops, merged

        /// Those for which threads wait without a lock. On mutexes, whoever sends waits for the lock of the delivery.
        static var waiting: [Form] { Strand.isShared ? allCases : allCases.filter { $0 != .inbox } }

        func make(_ source: Signal<Int, Never>) -> Signal<Int, Never> {
            let hop = { (signal: Signal<Int, Never>) in
                signal.observe(on: QueueScheduler(), bufferingPolicy: UnusedSignalTests.hard)
            }
            return switch self {
            case .inbox: source.map { $0 }
            case .hop: hop(source)
            case .derived: hop(source).map { $0 }.filter { _ in true }
            case .hops: hop(hop(source).map { $0 })
            case .merged: Signal.merge(hop(source), hop(source))
            }
        }
    }

    @Test(arguments: Form.waiting)
    func `Threads that wait for a stream return when its last observation is disposed of, although its callback blocks`(
        form: Form
    ) {
        let (isInside, isOpen) = (Flag(), DispatchSemaphore(value: 0))
        let (input, observation) = observe(form) {
            isInside.raise()
            isOpen.wait()
        }
        let back = Counter()
        ThreadGroup.run(4) { index in
            if index == 0 {
                #expect(Stress.eventually { isInside.isRaised })
                observation?.dispose()
                // Of the pipe itself, the first thread is the one inside the callback.
                #expect(Stress.eventually { back.value >= (form == .inbox ? 2 : 3) })
                for _ in 0..<100 { isOpen.signal() }
            } else {
                for value in 0..<20 { input.send(value: value) }
                back.increment()
            }
        }
    }

    /// Observes a new stream, to which then nobody refers.
    private func observe(
        _ form: Form, _ action: @escaping @Sendable () -> Void
    ) -> (Signal<Int, Never>.Observer, (any Disposable)?) {
        let (output, input) = Signal<Int, Never>.pipe(buffering: Self.hard)
        return (input, form.make(output).observeValues { _ in action() })
    }

    @Test(arguments: Form.allCases)
    func `An observer that remains gets what is queued`(form: Form) {
        let (output, input) = Signal<Int, Never>.pipe()
        let (isInside, isOpen) = (Flag(), DispatchSemaphore(value: 0))
        let values = Counter()
        var signal: Signal<Int, Never>? = form.make(output)
        let observation = signal?.observeValues { _ in
            isInside.raise()
            isOpen.wait()
        }
        signal?.observeValues { _ in values.increment() }
        signal = nil
        let count = form == .merged ? 40 : 20
        ThreadGroup.run(2) { index in
            if index == 0 {
                #expect(Stress.eventually { isInside.isRaised })
                observation?.dispose()
                for _ in 0..<100 { isOpen.signal() }
            } else {
                for value in 0..<20 { input.send(value: value) }
            }
        }
        #expect(Stress.eventually { values.value == count })
    }

    @Test func `The resources of a stream are disposed of when nobody uses it, although its callback is in progress`() {
        let isDisposed = Flag()
        let (isInside, isOpen) = (Flag(), DispatchSemaphore(value: 0))
        let (input, observation) = { () -> (Signal<Int, Never>.Observer, (any Disposable)?) in
            let (output, input) = Signal<Int, Never>.pipe(disposable: AnyDisposable { isDisposed.raise() })
            let observation = output.map { $0 }.observeValues { _ in
                isInside.raise()
                isOpen.wait()
            }
            return (input, observation)
        }()
        ThreadGroup.run(2) { index in
            if index == 0 {
                #expect(Stress.eventually { isInside.isRaised })
                observation?.dispose()
                #expect(isDisposed.isRaised)
                isOpen.signal()
            } else {
                input.send(value: 1)
            }
        }
    }
}
