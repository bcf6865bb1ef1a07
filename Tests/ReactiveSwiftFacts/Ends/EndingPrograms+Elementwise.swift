import ReactiveSwift

extension EndingPrograms {
    mutating func addElementwise() {
        add("map(_:) (closure)") { $0.map { $0 + 1 } }
        add("map(_:) (key path)") { $0.map(\.self) }
        add("map(value:)") { $0.map(value: 1) }
        add("filter(_:)") { $0.filter { _ in true } }
        add("compactMap(_:)") { $0.compactMap { value -> Int? in value } }
        add("skipNil()") { $0.map { value -> Int? in value }.skipNil() }
        add("skipRepeats()") { $0.skipRepeats() }
        add("uniqueValues()") { $0.uniqueValues() }
        add("scan(_:_:)") { $0.scan(0) { $0 + $1 } }
        add("scanMap(_:_:)") { $0.scanMap(0) { ($0, $1) } }
        add("combinePrevious()") { $0.combinePrevious() }
        add("combinePrevious(_:)") { $0.combinePrevious(0) }
        add("reduce(_:_:)") { $0.reduce(0) { $0 + $1 } }
    }

    mutating func addParts() {
        add("take(first:)") { $0.take(first: 5) }
        add("take(last:)") { $0.take(last: 5) }
        add("take(while:)") { $0.take(while: { _ in true }) }
        add("take(until:) (predicate)") { $0.take(until: { _ in false }) }
        add("skip(first:)") { $0.skip(first: 1) }
        add("skip(while:)") { $0.skip(while: { _ in false }) }
        add("take(during:)") { source, stage in
            let (lifetime, token) = Lifetime.make()
            stage.keep(token)
            return source.take(during: lifetime)
        }
        add("collect()") { $0.collect() }
        add("collect(count:)") { $0.collect(count: 5) }
    }
}
