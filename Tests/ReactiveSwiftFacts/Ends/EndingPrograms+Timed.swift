import ReactiveSwift

extension EndingPrograms {
    mutating func addTimed() {
        add("delay(_:on:)") { source, stage in source.delay(10, on: stage.scheduler) }
        add("throttle(_:on:)") { source, stage in source.throttle(10, on: stage.scheduler) }
        add("throttle(while:on:)") { source, stage in
            source.throttle(while: Property(value: false), on: stage.scheduler)
        }
        add("throttle(while:on:) (held back)") { source, stage in
            let gate = MutableProperty(true)
            stage.keep(gate)
            return source.throttle(while: gate, on: stage.scheduler)
        }
        for discards in [false, true] {
            let variant = discards ? " (discarding)" : ""
            add("debounce(_:on:discardWhenCompleted:)\(variant)") { source, stage in
                source.debounce(10, on: stage.scheduler, discardWhenCompleted: discards)
            }
            add("collect(every:on:skipEmpty:discardWhenCompleted:)\(variant)") { source, stage in
                source.collect(
                    every: .seconds(10), on: stage.scheduler, skipEmpty: true, discardWhenCompleted: discards)
            }
        }
        add("timeout(after:raising:on:)") { source, stage in
            source.timeout(after: 100, raising: Failure(), on: stage.scheduler)
        }
        add("retry(upTo:interval:on:)") { source, stage in source.retry(upTo: 1, interval: 5, on: stage.scheduler) }
    }
}
