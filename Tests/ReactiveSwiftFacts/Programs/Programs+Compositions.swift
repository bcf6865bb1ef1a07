import ReactiveSwift

/// Properties that are made of others.
extension Programs {
    mutating func addCompositions() {
        add("property-composed-lifetime") { log in
            var source: MutableProperty<Int>? = MutableProperty(1)
            var double: Property<Int>? = source!.map { value in value * 2 }
            double!.producer.start(log.events("a"))
            let both = Property.combineLatest(source!, double!)
            both.producer.start(log.events("b"))
            double = nil
            log("a nil")
            source!.value = 2
            source = nil
            log("m nil")
            log("b.value \(both.value)")
        }
        add("property-combineLatest-glitch") { log in
            let source = MutableProperty(1)
            let tens = source.map { value in value * 10 }
            let hundreds = source.map { value in value * 100 }
            Property.combineLatest(tens, hundreds).producer.startWithValues { log("\($0)") }
            tens.zip(with: hundreds).producer.startWithValues(log.values("zip"))
            source.value = 2
            let outer = MutableProperty(source)
            outer.flatten(.latest).signal.observeValues(log.values("flat"))
            source.value = 3
            outer.value = MutableProperty(9)
            source.value = 4
        }
        add("b2-property-flatten") { log in
            let first = MutableProperty(1)
            let second = MutableProperty(2)
            let outer = MutableProperty(first)
            let strategies: [(String, FlattenStrategy)] = [
                ("merge", .merge), ("latest", .latest), ("concat", .concat), ("race", .race),
            ]
            for (name, strategy) in strategies {
                let property = outer.flatten(strategy)
                property.producer.startWithValues(log.values(name))
                log.keep(property)
            }
            first.value = 3
            outer.value = second
            first.value = 4
            second.value = 5
            let mapped = first.flatMap(.latest) { value in Property(value: value * 100) }
            mapped.producer.startWithValues(log.values("fm"))
            first.value = 6
            log("\(mapped.value)")
        }
        add("b2-property-bool") { log in
            let left = MutableProperty(false)
            let right = MutableProperty(true)
            left.and(right).producer.startWithValues(log.values("and"))
            left.or(right).producer.startWithValues(log.values("or"))
            left.negate().producer.startWithValues(log.values("not"))
            left.value = true
            right.value = false
            right.value = false
            Property<Bool>.all([left, right]).producer.startWithValues(log.values("all"))
            Property<Bool>.any([left, right]).producer.startWithValues(log.values("any"))
            log("\(Property<Bool>.all([MutableProperty<Bool>]()).value)")
        }
        add("m-property-flatMap-merge-final") { log in
            let source = MutableProperty(1)
            let view = source.map { value in value }
            let result = view.flatMap(.merge) { outer in view.map { inner in outer * 10 + inner } }
            source.value = 2
            log("\(result.value)")
        }
        add("m-property-flatMap-latest-glitch") { log in
            let source = MutableProperty(1)
            let view = source.map { value in value }
            let result = view.flatMap(.latest) { outer in view.map { inner in outer * 10 + inner } }
            result.signal.observeValues { log("\($0)") }
            source.value = 2
        }
    }
}
