import ReactiveSwift

extension EndingPrograms {
    mutating func addErrors() {
        add("mapError(_:)") { $0.mapError { failure -> Failure in failure } }
        add("materialize()") { $0.materialize() }
        add("dematerialize()") { $0.materialize().dematerialize() }
        add("materializeResults()") { $0.materializeResults() }
        add("dematerializeResults()") { $0.materializeResults().dematerializeResults() }
        add("attempt(_:) (result)") { $0.attempt { _ -> Result<(), Failure> in .success(()) } }
        add("attemptMap(_:) (result)") { $0.attemptMap { value -> Result<Int, Failure> in .success(value) } }
        add("promoteError(_:) (to another)") { _, stage in stage.infallibleSource.promoteError(Failure.self) }
        add("promoteValue(_:)") { source in
            source.filter { _ in false }.map { _ -> Never in fatalError("no value passes") }.promoteValue(Int.self)
        }
        add("flatMapError(_:) (producer)") { $0.flatMapError { _ in InfallibleProducer(value: 9) } }
        add("flatMapError(_:) (another source)") { source, stage in
            let other = stage.infallibleOther
            return source.flatMapError { _ in other }
        }
        add("retry(upTo:)") { $0.retry(upTo: 1) }
        add("repeat(_:)") { $0.repeat(2) }
    }

    mutating func addEffects() {
        add("on(starting:started:event:failed:completed:interrupted:terminated:disposed:value:)") {
            $0.on(value: { _ in })
        }
        add("logEvents(identifier:events:fileName:functionName:lineNumber:logger:)") {
            $0.logEvents(logger: { _, _, _, _, _ in })
        }
        add("lazyMap(on:transform:) (later)") { source, stage in source.lazyMap(on: stage.scheduler) { $0 } }
        add("observe(on:) (later)") { source, stage in source.observe(on: stage.scheduler) }
        add("observe(on:) (at once)") { $0.observe(on: ImmediateScheduler()) }
        add("start(on:)") { source, stage in source.start(on: stage.scheduler) }
        add("replayLazily(upTo:)") { $0.replayLazily(upTo: 1) }
        add("producer") { $0.producer }
    }
}
