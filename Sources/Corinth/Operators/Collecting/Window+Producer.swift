public import Dispatch
public import Foundation

/// The values of one window, replayed to every start of its producer.
@usableFromInline
final class WindowBuffer<Value, Error: Swift.Error>: @unchecked Sendable {  // Owned by the strand's owner.
    @usableFromInline let strand = Strand()

    @safe @exclusivity(unchecked)
    @usableFromInline var values: [Value] = []

    @safe @exclusivity(unchecked)
    @usableFromInline var ending: Termination<Error>?

    @safe @exclusivity(unchecked)
    @usableFromInline var inputs: [ProducerInput<Value, Error>] = []

    @inlinable
    init() {}

    @inlinable
    var input: Sink<Value, Error> {
        Sink(
            value: { value in
                self.strand.perform(on: self, with: value) { buffer, value in
                    buffer.values.append(value)
                    for input in buffer.inputs { input.send(value) }
                }
            },
            termination: { termination in
                self.strand.perform(on: self, with: termination) { buffer, termination in
                    buffer.ending = termination
                    let inputs = buffer.inputs
                    buffer.inputs = []
                    for input in inputs { input.send(termination) }
                }
            })
    }

    /// A producer of the past and future values of the window. The values are kept as long as the producer is.
    @inlinable
    var producer: SignalProducer<Value, Error> {
        SignalProducer(boundary: { _, sink, run in
            let input = ProducerInput(to: sink, in: run)
            self.strand.perform(on: self, with: input) { buffer, input in buffer.add(input) }
        })
    }

    @inlinable
    func add(_ input: ProducerInput<Value, Error>) {
        for value in values {
            if input.isDisposed { return }
            input.send(value)
        }
        if let ending {
            input.send(ending)
            return
        }
        inputs.append(input)
        input.resources.add { [weak self, weak input] in
            guard let self else { return }
            strand.perform(on: self, with: input) { buffer, input in buffer.inputs.removeAll { $0 === input } }
        }
    }
}

extension SignalProducer {
    @inlinable
    func windows(_ bounds: WindowBounds) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        .joining { output in
            let window = Window<Value, Sink<SignalProducer<Value, Error>, Error>>(output, bounds) {
                let buffer = WindowBuffer<Value, Error>()
                return (buffer.producer, buffer.input)
            }
            self.connect(to: window.input, until: output.resources)
        }
    }

    /// Splits the stream into producers of `count` values each.
    ///
    /// Each start of such a producer sends all values of its window, even if they were sent before. The values are kept as
    /// long as the producer is. See also ``Signal/window(count:)``.
    @inlinable
    public func window(count: Int) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(count: count))
    }

    /// Splits the stream into producers at each tick of a timer, which starts with the producer.
    /// See ``Signal/window(every:on:)-(DispatchTimeInterval,_)``, and ``window(count:)`` for the values that a window keeps.
    @inlinable
    public func window(
        every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(time: .ticks(interval, scheduler)))
    }

    /// Splits the stream into producers of `count` values each, or of fewer when an interval has passed.
    /// See ``Signal/window(count:within:on:)-(_,TimeInterval,_)``, and ``window(count:)`` for the values that a window keeps.
    @inlinable
    public func window(
        count: Int, within interval: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<SignalProducer<Value, Error>, Error> {
        windows(WindowBounds(count: count, time: .length(interval, scheduler)))
    }
}
