import Corinth
import CorinthServices
import CorinthTesting
import Dispatch
import Testing

struct ActionBusyTests {
    typealias Events = EventRecorder<Int, ActionError<ServiceError>>

    /// An action whose executions end when they are told to.
    private struct Executions {
        let inputs = Atomic<[Int]>([])
        let observers = Atomic<[Signal<Int, ServiceError>.Observer]>([])
        let action: Action<Int, Int, ServiceError>

        init() {
            let (inputs, observers) = (inputs, observers)
            action = Action { input in
                SignalProducer { observer, _ in
                    inputs.modify { $0.append(input) }
                    observers.modify { $0.append(observer) }
                }
            }
        }

        func start(_ producer: SignalProducer<Int, ActionError<ServiceError>>) -> (
            events: Events, start: any Disposable
        ) {
            let events = Events()
            return (events, producer.start(events.observer))
        }
    }

    @Test func `Queuing: each start executes, in its turn`() {
        let executions = Executions()
        let apply = executions.action.queuing(upTo: 2)
        let starts = (1...4).map { executions.start(apply($0)) }
        #expect(executions.inputs.value == [1])
        #expect(starts[3].events.events == [.failed(.disabled)])
        executions.observers.value[0].send(value: 10)
        executions.observers.value[0].send(error: .broken)
        #expect(starts[0].events.events == [.value(10), .failed(.producerFailed(.broken))])
        #expect(executions.inputs.value == [1, 2])
        starts[2].start.dispose()
        executions.observers.value[1].sendCompleted()
        #expect(executions.inputs.value == [1, 2])
        #expect(!executions.action.isExecuting.value)
    }

    @Test func `Joining: starts share the execution, and a later one begins another`() {
        let executions = Executions()
        let apply = executions.action.joining()
        let first = executions.start(apply(1))
        executions.observers.value[0].send(value: 10)
        let second = executions.start(apply(2))
        executions.observers.value[0].send(value: 11)
        first.start.dispose()
        executions.observers.value[0].sendCompleted()
        #expect(executions.inputs.value == [1])
        #expect(first.events.events == [.value(10), .value(11), .interrupted])
        #expect(second.events.events == [.value(10), .value(11), .completed])
        let third = executions.start(apply(3))
        #expect(executions.inputs.value == [1, 3])
        third.start.dispose()
        #expect(!executions.action.isExecuting.value)
    }

    @Test func `Replacing: a start interrupts the one before it`() {
        let executions = Executions()
        let apply = executions.action.replacing()
        let starts = (1...3).map { executions.start(apply($0)) }
        #expect(executions.inputs.value == [1, 2, 3])
        #expect(starts.map(\.events.events) == [[.interrupted], [.interrupted], []])
        executions.observers.value[2].send(value: 30)
        executions.observers.value[2].sendCompleted()
        #expect(starts[2].events.events == [.value(30), .completed])
        #expect(!executions.action.isExecuting.value)
    }

    @Test func `An action that isn't enabled refuses as ever`() {
        let action = Action<Int, Int, ServiceError>(enabledIf: Property(value: false)) { SignalProducer(value: $0) }
        for apply in [action.queuing(), action.joining(), action.replacing()] {
            let events = Events()
            apply(1).start(events.observer)
            #expect(events.events == [.failed(.disabled)])
        }
    }

    @Test(arguments: ["queuing", "joining", "replacing"])
    func `Threads start at once: all starts end, one execution at a time`(kind: String) async {
        let running = Atomic(0)
        let action = Action<Int, Int, ServiceError> { input in
            SignalProducer { observer, lifetime in
                #expect(
                    running.modify { running -> Int in
                        running += 1
                        return running
                    } == 1)
                lifetime.observeEnded { running.modify { $0 -= 1 } }
                observer.send(value: input)
                observer.sendCompleted()
            }
        }
        let apply = ["queuing": action.queuing(), "joining": action.joining(), "replacing": action.replacing()][kind]
        let ended = Atomic(0)
        let refused = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for number in 0..<1000 {
                apply?(number).start { event in
                    if case .failed(.disabled) = event { refused.modify { $0 += 1 } }
                    if event.isTerminating { ended.modify { $0 += 1 } }
                }
            }
        }
        #expect(await eventually { ended.value == 4000 })
        #expect(refused.value == 0)
    }
}
