public import Dispatch
public import Foundation

/// The base of operators with a timer.
///
/// There is one timer at most. It is set when something begins to wait, and not for each value: one that fires too early
/// is set again.
@usableFromInline
class TimedOperator<Next: Receiver>: ScheduledOperator<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline final let clock: any DateScheduler

    /// The clock's time, with which noted times are compared. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline final var steadyClock: SteadyClock

    @inlinable
    init(_ output: JoinOutput<Next>, on clock: any DateScheduler) {
        self.clock = clock
        steadyClock = SteadyClock(clock)
        super.init(output, on: clock)
    }

    /// The time. Called by the owner of the strand.
    @inlinable
    final func now() -> Date { steadyClock.now() }

    /// A timer in place of the one that waits. Called by the owner of the strand.
    @inlinable
    final func alarm(at date: Date) -> Plan {
        turn &+= 1
        return .alarm(Alarm(date, turn, onClock: steadyClock.setTimer(date)))
    }

    /// Schedules what is planned.
    ///
    /// - Parameter fire: Called by the owner of the strand, on the scheduler, until it says that there is nothing left to do.
    @inlinable
    final func carryOut(_ plan: Plan, _ fire: @escaping @Sendable (Alarm) -> Bool) {
        switch plan {
        case .nothing: break
        case .delivery: preconditionFailure("an operator with a timer was to deliver without it")
        case .end(let turn): scheduleEnd(turn)
        case .alarm(let alarm):
            let action = clock.schedule(after: alarm.clockDate) {
                self.deliver {
                    guard self.turn == alarm.turn, !self.isOver else { return false }
                    self.steadyClock.timerFired()
                    return fire(alarm)
                }
            }
            pending.replace(with: action, alarm.turn)
        }
    }

    /// Sets a timer that fires again and again. Called once, before there is a source.
    ///
    /// - Parameter tick: Called by the owner of the strand, on the scheduler.
    @usableFromInline
    final func startTicking(every interval: DispatchTimeInterval, _ tick: @escaping @Sendable () -> Void) {
        turn &+= 1
        let mine = turn
        let action = clock.schedule(
            after: clock.currentDate.adding(interval), interval: interval, leeway: interval.usualLeeway
        ) {
            self.deliver {
                if self.turn == mine, !self.isOver { tick() }
                return false
            }
        }
        pending.replace(with: action, mine)
    }

    /// The time that it is when a timer has fired: not before the time that it was set to, whatever the clock says.
    @inlinable
    final func now(at alarm: Alarm) -> Date { max(alarm.date, now()) }
}

extension Signal {
    /// The signal of an operator that delivers on a scheduler.
    ///
    /// - Parameter attach: Makes the operator, and returns it with the port that this is connected to.
    @inlinable
    func scheduling<U, F>(
        _ attach: (JoinOutput<DerivedReceiver<U, F>>) -> (
            stage: ScheduledOperator<DerivedReceiver<U, F>>, port: Sink<Value, Error>
        )
    ) -> Signal<U, F> {
        .joining { output in
            let (stage, port) = attach(output)
            output.resources.add { stage.abandon() }
            self.connect(to: port, until: output.resources)
        }
    }
}

extension SignalProducer {
    /// The producer of an operator that delivers on a scheduler. Disposal interrupts there, and cancels the source at once;
    /// an end that doesn't come from the source cancels it, too.
    ///
    /// - Parameter attach: Makes the operator for a start, and returns it with the port that this is connected to.
    @inlinable
    func scheduling<U, F>(
        _ attach:
            @escaping @Sendable (JoinOutput<Sink<U, F>>) -> (
                stage: ScheduledOperator<Sink<U, F>>, port: Sink<Value, Error>
            )
    ) -> SignalProducer<U, F> {
        SignalProducer<U, F>(
            over: depth,
            recipe: { sink, run in
                let output = JoinOutput(next: sink, strand: Strand(), resources: CompositeDisposable())
                let (stage, port) = attach(output)
                // The source may be done while its events wait: then it is the operator that the disposal has to end.
                let upstream = ProducerRun(upstreamOf: run)
                output.resources.add(upstream)
                let disposal = AnyDisposable {
                    stage.interrupt()
                    upstream.dispose()
                }
                run.resources.add(disposal) { stage.handle = $0 }
                if !upstream.isDisposed { self.begin(port, upstream) }
            })
    }
}
