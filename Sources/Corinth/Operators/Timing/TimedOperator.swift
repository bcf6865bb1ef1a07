public import Dispatch
public import CorinthEssentials

/// The base class of operators with a timer.
///
/// There is at most one timer. It is set when a value begins to wait, and not for each value. A timer that fires too early
/// is set again.
@usableFromInline
class TimedOperator<Next: Receiver>: ScheduledOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline final let clock: any DateScheduler

    /// The clock for recorded times. Owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline final var steadyClock: SteadyClock

    @inlinable
    init(_ output: JoinOutput<Next>, on clock: any DateScheduler) {
        self.clock = clock
        steadyClock = SteadyClock(clock)
        super.init(output, on: clock)
    }

    /// The current time. Called by the strand's owner.
    @inlinable
    final func now() -> Date { steadyClock.now() }

    /// A timer that replaces the pending one. Called by the strand's owner.
    @inlinable
    final func timer(at date: Date) -> NextAction {
        generation &+= 1
        return .timer(TimerRequest(date, generation, onClock: steadyClock.setTimer(date)))
    }

    /// Schedules the next action.
    ///
    /// - Parameter fire: Called on the scheduler by the strand's owner, until it returns false.
    @inlinable
    final func carryOut(_ nextAction: NextAction, _ fire: @escaping @Sendable (TimerRequest) -> Bool) {
        switch nextAction {
        case .nothing: break
        case .delivery:
            preconditionFailure("the action is .delivery, but must be .timer, .end or .nothing in a timed operator")
        case .end(let generation): scheduleEnd(generation)
        case .timer(let timer):
            let action = clock.schedule(after: timer.clockDate) {
                self.deliver {
                    guard self.generation == timer.generation, !self.isOver else { return false }
                    self.steadyClock.timerFired()
                    return fire(timer)
                }
            }
            pending.replace(with: action, timer.generation)
        }
    }

    /// Sets a repeating timer. Called once, before the source is connected.
    ///
    /// - Parameter tick: Called on the scheduler by the strand's owner.
    @usableFromInline
    final func startTicking(every interval: DispatchTimeInterval, _ tick: @escaping @Sendable () -> Void) {
        generation &+= 1
        let mine = generation
        let action = clock.schedule(
            after: clock.currentDate.adding(interval), interval: interval, leeway: interval.usualLeeway
        ) {
            self.deliver {
                if self.generation == mine, !self.isOver { tick() }
                return false
            }
        }
        pending.replace(with: action, mine)
    }

    /// The time after a timer has fired: not earlier than the timer's date, even if the clock is.
    @inlinable
    final func now(at timer: TimerRequest) -> Date { max(timer.date, now()) }
}

extension Signal {
    /// The signal of an operator that delivers on a scheduler.
    ///
    /// - Parameter attach: Makes the operator. Returns it with the input that this signal is connected to.
    @inlinable
    func scheduling<U, F>(
        _ attach: (JoinOutput<DerivedReceiver<U, F>>) -> (
            stage: ScheduledOperator<DerivedReceiver<U, F>>, input: Sink<Value, Error>
        )
    ) -> Signal<U, F> {
        .joining { output in
            let (stage, input) = attach(output)
            output.resources.add { stage.abandon() }
            self.connect(to: input, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// The producer of an operator that delivers on a scheduler. Disposal interrupts on the scheduler and disposes of the
    /// source at once. A termination that doesn't come from the source disposes of the source, too.
    ///
    /// - Parameter attach: Makes the operator for a start. Returns it with the input that this producer is connected to.
    @inlinable
    func scheduling<U, F>(
        _ attach:
            @escaping @Sendable (JoinOutput<Sink<U, F>>) -> (
                stage: ScheduledOperator<Sink<U, F>>, input: Sink<Value, Error>
            )
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: depth,
            boundary: { _, sink, run in
                let output = JoinOutput(next: sink, strand: Strand(), resources: CompositeDisposable())
                let (stage, input) = attach(output)
                // The source may have ended while its events are queued. The disposal must then end the operator.
                let upstream = ProducerRun(upstreamOf: run)
                output.resources.add(upstream)
                stage.hold(in: run, upstream)
                if !upstream.isDisposed { self.begin(input, upstream) }
            })
    }
}
