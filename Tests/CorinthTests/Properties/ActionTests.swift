import CorinthTesting
import Testing

@testable import Corinth

struct ActionTests {
    private typealias Numbers = Action<Int, Int, TestError>

    /// Records what an action does, in order.
    private final class Log: @unchecked Sendable {  // A single thread uses it.
        var entries: [String] = []

        func watch<Output, Error>(_ action: Action<Int, Output, Error>) {
            action.isEnabled.producer.startWithValues { self.entries.append("enabled \($0)") }
            action.isExecuting.producer.startWithValues { self.entries.append("executing \($0)") }
            action.events.observe { self.entries.append($0.value.map { "event \($0)" } ?? "events \($0)") }
            action.values.observe { self.entries.append($0.value.map { "value \($0)" } ?? "values \($0)") }
            action.errors.observeValues { self.entries.append("error \($0)") }
            action.completed.observeValues { self.entries.append("completed") }
            action.disabledErrors.observeValues { self.entries.append("disabled") }
        }

        func take() -> [String] {
            defer { entries = [] }
            return entries
        }
    }

    @Test func enabledAndNotExecutingAtFirst() {
        let action = Numbers { _ in .never }
        #expect(action.isEnabled.value)
        #expect(!action.isExecuting.value)
    }

    @Test func nothingHappensBeforeTheStart() {
        let runs = Holder(0)
        let action = Numbers { input in
            runs.held += 1
            return SignalProducer(value: input)
        }
        let producer = action.apply(1)
        #expect(runs.held == 0)
        producer.start()
        producer.start()
        #expect(runs.held == 2)
    }

    /// An observer of `isExecuting` ends the start, which is about to execute the action.
    @Test func endOfTheStartBeforeTheExecution() {
        let executions = Counter()
        let action = Numbers { input in
            executions.increment()
            return SignalProducer(value: input)
        }
        let (end, endInput) = Signal<(), Never>.pipe()
        action.isExecuting.signal.observeValues { if $0 { endInput.send(value: ()) } }
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        action.apply(1).take(until: end).start(recorder.observer)
        #expect(recorder.events == [.completed])
        #expect(executions.value == 0)
        #expect(!action.isExecuting.value && action.isEnabled.value)
    }

    /// The start receives each event first, then the action's own signals; signals derived from `events` receive it before
    /// `events`.
    @Test func order() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let action = Numbers { _ in SignalProducer(signal) }
        let log = Log()
        log.watch(action)
        #expect(log.take() == ["enabled true", "executing false"])
        action.apply(0).start { log.entries.append("start \($0)") }
        #expect(log.take() == ["enabled false", "executing true"])
        input.send(value: 1)
        #expect(log.take() == ["start VALUE 1", "value 1", "event VALUE 1"])
        input.sendCompleted()
        #expect(
            log.take() == ["start COMPLETED", "enabled true", "executing false", "completed", "event COMPLETED"])
    }

    @Test func orderOfSynchronousWork() {
        let action = Numbers { SignalProducer(value: $0) }
        let log = Log()
        log.watch(action)
        _ = log.take()
        action.apply(1).start { log.entries.append("start \($0)") }
        #expect(
            log.take() == [
                "enabled false", "executing true", "start VALUE 1", "value 1", "event VALUE 1", "start COMPLETED",
                "completed", "event COMPLETED", "enabled true", "executing false",
            ])
    }

    @Test func failure() {
        let action = Numbers { _ in SignalProducer(error: .first) }
        let log = Log()
        log.watch(action)
        _ = log.take()
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        action.apply(1).start(recorder.observer)
        #expect(recorder.events == [.failed(.producerFailed(.first))])
        #expect(
            log.take() == [
                "enabled false", "executing true", "error first", "event FAILED first", "enabled true",
                "executing false",
            ])
    }

    /// A1.
    @Test func executesSerially() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let action = Numbers { _ in SignalProducer(signal) }
        let log = Log()
        let first = EventRecorder<Int, ActionError<TestError>>()
        let second = EventRecorder<Int, ActionError<TestError>>()
        action.apply(0).start(first.observer)
        log.watch(action)
        _ = log.take()
        action.apply(0).start { event in
            log.entries.append("start")
            second.observer.send(event)
        }
        #expect(second.events == [.failed(.disabled)])
        #expect(log.take() == ["start", "disabled"])
        input.sendCompleted()
        #expect(first.events == [.completed])
        let third = EventRecorder<Int, ActionError<TestError>>()
        action.apply(0).start(third.observer)
        #expect(third.events == [.interrupted])
    }

    @Test func disposalInterruptsTheWork() {
        let cancelled = Holder(0)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let action = Numbers { _ in
            SignalProducer { observer, lifetime in
                lifetime += signal.observe(observer)
                lifetime.observeEnded { cancelled.held += 1 }
            }
        }
        let log = Log()
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        let disposable = action.apply(0).start(recorder.observer)
        log.watch(action)
        _ = log.take()
        disposable.dispose()
        input.send(value: 1)
        #expect(cancelled.held == 1)
        #expect(recorder.events == [.interrupted])
        #expect(log.take() == ["event INTERRUPTED", "enabled true", "executing false"])
    }

    /// The start of a work that sends its events at once is interrupted after the event in progress. The action's own signals
    /// receive the rest.
    @Test func `A disposal inside a callback interrupts a start whose work sends its events at once`() {
        let works: [SignalProducer<Int, TestError>] = [SignalProducer(value: 1), SignalProducer { 1 }]
        for work in works {
            let action = Numbers { _ in work }
            let log = Log()
            log.watch(action)
            _ = log.take()
            action.apply(0).startWithSignal { signal, interruption in
                signal.observe { event in
                    log.entries.append("start \(event)")
                    if event.value != nil { interruption.dispose() }
                }
            }
            #expect(
                log.take() == [
                    "enabled false", "executing true", "start VALUE 1", "start INTERRUPTED", "value 1", "event VALUE 1",
                    "completed", "event COMPLETED", "enabled true", "executing false",
                ])
        }
    }

    /// As in ReactiveSwift, which knows the work's disposable when the work's start has returned.
    @Test func `A disposal inside a callback cancels the work when its start has returned`() {
        let action = Numbers { _ in SignalProducer([1, 2, 3]) }
        let log = Log()
        log.watch(action)
        _ = log.take()
        action.apply(0).startWithSignal { signal, interruption in
            signal.observe { event in
                log.entries.append("start \(event)")
                if event.value == 1 { interruption.dispose() }
            }
        }
        #expect(
            log.take() == [
                "enabled false", "executing true", "start VALUE 1", "start INTERRUPTED", "value 1", "event VALUE 1",
                "value 2", "event VALUE 2", "value 3", "event VALUE 3", "completed", "event COMPLETED", "enabled true",
                "executing false",
            ])
    }

    @Test func `A start that is disposed of while its work is made is interrupted, and sends nothing else`() {
        let works: [SignalProducer<Int, TestError>] = [
            SignalProducer(value: 1), SignalProducer { 1 }, SignalProducer([1]), SignalProducer(error: .first), .empty,
        ]
        for work in works {
            let interruption = Holder<(any Disposable)?>(nil)
            let action = Numbers { _ in
                interruption.held?.dispose()
                return work
            }
            let recorder = EventRecorder<Int, ActionError<TestError>>()
            let log = Log()
            log.watch(action)
            _ = log.take()
            action.apply(0).startWithSignal { signal, handle in
                interruption.held = handle
                signal.observe(recorder.observer)
            }
            #expect(recorder.events == [.interrupted])
            #expect(log.take() == ["enabled false", "executing true", "enabled true", "executing false"])
            #expect(action.isEnabled.value)
        }
    }

    @Test func `The action's signals can be used for the first time while it executes`() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let action = Numbers { _ in SignalProducer(signal) }
        action.apply(0).start()
        input.send(value: 1)
        let values = EventRecorder<Int, Never>()
        action.values.observe(values.observer)
        input.send(value: 2)
        let completions = EventRecorder<Void, Never>()
        action.completed.observe(completions.observer)
        action.apply(0).start()
        let refusals = EventRecorder<Void, Never>()
        action.disabledErrors.observe(refusals.observer)
        action.apply(0).start()
        input.sendCompleted()
        #expect(values.values == [2])
        #expect(completions.values.count == 1)
        #expect(refusals.values.count == 1)
    }

    @Test
    func `The properties of an action are read without an observer, and observed from any moment of an execution`() {
        let action = Holder<Numbers?>(nil)
        let states = Holder([Bool]())
        let enabled = EventRecorder<Bool, Never>()
        let executing = EventRecorder<Bool, Never>()
        let isObserving = Holder(false)
        action.held = Numbers { [unowned action] input in
            states.held += [action.held?.isEnabled.value == true, action.held?.isExecuting.value == true]
            if isObserving.held {
                action.held?.isEnabled.signal.observe(enabled.observer)
                action.held?.isExecuting.producer.start(executing.observer)
            }
            return SignalProducer(value: input)
        }
        action.held?.apply(0).start()
        #expect(states.held == [false, true])
        #expect(action.held?.isEnabled.value == true)
        #expect(action.held?.isExecuting.value == false)
        isObserving.held = true
        action.held?.apply(0).start()
        isObserving.held = false
        #expect(states.held == [false, true, false, true])
        #expect(enabled.values == [true])
        #expect(executing.values == [true, false])
        action.held?.apply(0).start()
        #expect(enabled.values == [true, false, true])
        #expect(executing.values == [true, false, true, false])
        action.held = nil
        #expect(enabled.events.last == .completed)
        #expect(executing.events.last == .completed)
    }

    @Test func `A view of one property of an action doesn't keep the other one`() {
        var action: Numbers? = Numbers { SignalProducer(value: $0) }
        let enabled = action?.isEnabled
        let executing = EventRecorder<Bool, Never>()
        action?.isExecuting.signal.observe(executing.observer)
        action = nil
        #expect(executing.events == [.completed])
        #expect(enabled?.value == true)
        // Not observable before, but still a property.
        let late = EventRecorder<Bool, Never>()
        enabled?.producer.start(late.observer)
        #expect(late.values == [true])
    }

    @Test func `The handle of a start tells whether it goes on`() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let works: [SignalProducer<Int, TestError>] = [
            SignalProducer(value: 1), SignalProducer([1]), SignalProducer(signal),
        ]
        let next = Holder(0)
        let action = Numbers { _ in works[next.held] }
        #expect(action.apply(0).start().isDisposed)
        next.held = 1
        #expect(action.apply(0).start().isDisposed)
        next.held = 2
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        let handle = action.apply(0).start(recorder.observer)
        #expect(!handle.isDisposed)
        #expect(action.apply(0).start().isDisposed, "a refused start")
        handle.dispose()
        #expect(handle.isDisposed)
        #expect(recorder.events == [.interrupted])
        #expect(action.isEnabled.value)
        withExtendedLifetime(input) {}
    }

    @Test func `Operators on a start of an action, whose work sends its events at once`() {
        let action = Numbers { SignalProducer(value: $0) }
        let outer = Action<Int, Int, ActionError<TestError>> { action.apply($0) }
        let recorder = EventRecorder<Int, ActionError<ActionError<TestError>>>()
        outer.apply(1).map { $0 + 1 }.start(recorder.observer)
        outer.apply(2).concat(outer.apply(3)).take(first: 2).start(recorder.observer)
        SignalProducer([4, 5]).flatMap(.merge) { outer.apply($0) }.start(recorder.observer)
        #expect(recorder.values == [2, 2, 3, 4, 5])
        #expect(action.isEnabled.value && outer.isEnabled.value)
    }

    // With mutexes, an observer is added at once, and so between the signals to which an event is sent.
    #if !NaiveLocks
        @Test func `An observer of all events that is added in a delivery gets the next event`() {
            let action = Numbers { SignalProducer(value: $0) }
            let late = EventRecorder<Signal<Int, TestError>.Event, Never>()
            action.values.take(first: 1).observeValues { _ in action.events.observe(late.observer) }
            action.apply(1).start()
            #expect(late.values == [.completed])
            let failing = Numbers { _ in SignalProducer(error: .first) }
            let errors = EventRecorder<TestError, Never>()
            failing.errors.observe(errors.observer)
            failing.apply(1).start()
            #expect(errors.values == [.first])
        }
    #endif

    @Test func enabledIf() {
        let mayRun = MutableProperty(false)
        let action = Numbers(enabledIf: mayRun) { SignalProducer(value: $0) }
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        #expect(!action.isEnabled.value)
        action.apply(1).start(recorder.observer)
        mayRun.value = true
        #expect(action.isEnabled.value)
        action.apply(2).start(recorder.observer)
        #expect(recorder.events == [.failed(.disabled), .value(2), .completed])
    }

    @Test func disabledWhileExecuting() {
        let mayRun = MutableProperty(true)
        let (signal, input) = Signal<Int, TestError>.pipe()
        let action = Numbers(enabledIf: mayRun) { _ in SignalProducer(signal) }
        let log = Log()
        log.watch(action)
        action.apply(0).start()
        _ = log.take()
        mayRun.value = false
        #expect(log.take() == [])
        #expect(action.isExecuting.value)
        input.sendCompleted()
        #expect(log.take() == ["executing false", "completed", "event COMPLETED"])
        #expect(!action.isEnabled.value)
    }

    /// The condition is evaluated when the state changes, not when the action is applied.
    @Test func conditionIsEvaluatedOncePerState() {
        let state = MutableProperty(1)
        let evaluations = Holder(0)
        let action = Numbers(
            state: state,
            enabledIf: { value in
                evaluations.held += 1
                return value > 0
            },
            execute: { state, input in SignalProducer(value: state + input) })
        let before = evaluations.held
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        action.apply(1).start(recorder.observer)
        action.apply(2).start(recorder.observer)
        #expect(evaluations.held == before)
        state.value = 10
        #expect(evaluations.held == before + 1)
        action.apply(1).start(recorder.observer)
        #expect(recorder.values == [2, 3, 11])
    }

    @Test func keepsItsState() {
        var state: MutableProperty<Int>? = MutableProperty(1)
        weak let weakState = state
        var action: Numbers? = Numbers(state: state.sure) { SignalProducer(value: $0 + $1) }
        state = nil
        #expect(weakState != nil)
        action = nil
        #expect(weakState == nil)
        withExtendedLifetime(action) {}
    }

    @Test func unwrapping() {
        let state = MutableProperty<Int?>(nil)
        let action = Numbers(unwrapping: state) { SignalProducer(value: $0 + $1) }
        let recorder = EventRecorder<Int, ActionError<TestError>>()
        #expect(!action.isEnabled.value)
        state.value = 1
        action.apply(1).start(recorder.observer)
        #expect(recorder.values == [2])
    }

    @Test func validated() {
        let age = ValidatingProperty<Int, TestError>(1) { $0 > 0 ? .valid : .invalid(.first) }
        let action = Action<Void, Int, Never>(validated: age) { SignalProducer(value: $0) }
        let recorder = EventRecorder<Int, ActionError<Never>>()
        #expect(action.isEnabled.value)
        age.value = -1
        #expect(!action.isEnabled.value)
        age.value = 7
        action.apply().start(recorder.observer)
        #expect(recorder.values == [7])
    }

    @Test func withoutInput() {
        let state = MutableProperty(3)
        let some = MutableProperty<Int?>(4)
        let recorder = EventRecorder<Int, ActionError<Never>>()
        Action<Void, Int, Never> { SignalProducer(value: 2) }.apply().start(recorder.observer)
        Action<Void, Int, Never>(state: state) { SignalProducer(value: $0) }.apply().start(recorder.observer)
        Action<Void, Int, Never>(unwrapping: some) { SignalProducer(value: $0) }.apply().start(recorder.observer)
        #expect(recorder.values == [2, 3, 4])
    }

    @Test func signalsCompleteWithTheAction() {
        var action: Numbers? = Numbers { SignalProducer(value: $0) }
        let lifetime = action?.lifetime
        let ends = Holder([String]())
        action?.events.observeCompleted { ends.held.append("events") }
        action?.values.observeCompleted { ends.held.append("values") }
        action?.errors.observeCompleted { ends.held.append("errors") }
        action?.completed.observeCompleted { ends.held.append("completed") }
        action?.disabledErrors.observeCompleted { ends.held.append("disabledErrors") }
        action?.isEnabled.signal.observeCompleted { ends.held.append("isEnabled") }
        action?.isExecuting.signal.observeCompleted { ends.held.append("isExecuting") }
        #expect(lifetime?.hasEnded == false)
        action = nil
        #expect(lifetime?.hasEnded == true)
        #expect(
            ends.held.sorted()
                == ["completed", "disabledErrors", "errors", "events", "isEnabled", "isExecuting", "values"])
    }

    /// An execution keeps its action alive.
    @Test func executionKeepsTheAction() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        var action: Numbers? = Numbers { _ in SignalProducer(signal) }
        weak let weakAction = action
        action?.apply(0).start()
        action = nil
        #expect(weakAction != nil)
        input.sendCompleted()
        #expect(weakAction == nil)
    }

    @Test func bindingTarget() {
        let action = Numbers { SignalProducer(value: $0) }
        let recorder = EventRecorder<Int, Never>()
        action.values.observe(recorder.observer)
        let (signal, input) = Signal<Int, Never>.pipe()
        action <~ signal
        input.send(value: 1)
        input.send(value: 2)
        #expect(recorder.values == [1, 2])
    }

    @Test func `R4: the action is applied again inside the callback that reports it as enabled`() {
        let action = Numbers { SignalProducer(value: $0) }
        let recorder = EventRecorder<Int, Never>()
        let executing = EventRecorder<Bool, Never>()
        let count = Holder(0)
        action.values.observe(recorder.observer)
        action.isExecuting.signal.observe(executing.observer)
        let recursion = action.isEnabled.signal.observeValues { isEnabled in
            if isEnabled, count.held < 3 {
                count.held += 1
                action.apply(count.held).start()
            }
        }
        action.apply(0).start()
        #expect(recorder.values == [0, 1, 2, 3])
        #expect(executing.values == [true, false, true, false, true, false, true, false])
        #expect(action.isEnabled.value)
        recursion?.dispose()
    }

    @Test func nothingIsLeaked() {
        let leaks = LeakCounter()
        do {
            let token = leaks.token()
            let action = Numbers { input in
                token.touch()
                return SignalProducer(value: input)
            }
            action.apply(1).start()
            action.values.observeValues { _ in token.touch() }
        }
        #expect(leaks.count == 0)
    }

    @Test func errorsAreEquatable() {
        #expect(ActionError<TestError>.disabled == .disabled)
        #expect(ActionError.producerFailed(TestError.first) != .producerFailed(.second))
        #expect(ActionError.producerFailed(TestError.first) != .disabled)
    }

    @Test func `A start that fails inside an observer of disabledErrors is told before the outer start returns`() {
        let action = Action<Int, Int, Never>(enabledIf: MutableProperty(false)) { SignalProducer(value: $0) }
        let told = Counter()
        let recursion = action.disabledErrors.observeValues { if told.increment() < 3 { action.apply(1).start() } }
        action.apply(1).start()
        #expect(told.value == 3)
        recursion?.dispose()
    }

    #if !NaiveLocks
        @Test func `After a refused start, the thread waits for permits again, and delivers for others`() {
            let action = Action<Int, Int, Never>(enabledIf: MutableProperty(false)) { SignalProducer(value: $0) }
            let told = Counter()
            let recursion = action.disabledErrors.observeValues {
                if told.increment() == 1 { action.apply(1).start() }
                #expect(ThreadState.current.isEnding)
            }
            action.apply(1).start()
            #expect(told.value == 2)
            #expect(!ThreadState.current.isEnding)
            recursion?.dispose()
        }
    #endif
}
