import ReactiveSwift

/// Properties: what their observers see, and when they are released.
extension Programs {
    mutating func addProperties() {
        add("property-reentrant-set") { log in
            let property = MutableProperty(0)
            property.producer.startWithValues { value in
                log("p> \(value)")
                if value == 1 { property.value = 2 }
                log("p< \(value) is \(property.value)")
            }
            property.signal.observeValues(log.values("s"))
            property.value = 1
        }
        add("property-capture-producer") { log in
            let (output, input) = Infallible.pipe()
            var property: Property<Int>? = Property(initial: 0, then: output)
            weak let released = property
            property?.producer.start(log.events("p"))
            property?.signal.observe(log.events("s"))
            input.send(value: 1)
            property = nil
            log("weak nil \(released == nil)")
            input.send(value: 2)
            input.sendCompleted()
            let constant = Property(value: 5)
            constant.producer.start(log.events("const"))
            constant.signal.observe(log.events("constSig"))
            log("\(Property(initial: 1, then: InfallibleProducer([2, 3])).value)")
        }
        add("property-skipRepeats-uniq-modify") { log in
            let property = MutableProperty(1)
            property.skipRepeats().signal.observeValues(log.values("skip"))
            property.uniqueValues().signal.observeValues(log.values("uniq"))
            property.combinePrevious(0).signal.observeValues(log.values("prev"))
            property.value = 1
            property.value = 2
            property.value = 1
            let result = property.modify { value -> String in
                value = 7
                return "ret"
            }
            log(result)
            log("\(property.swap(8))")
            property.withValue(log.values("with"))
        }
        add("b2-property-unsafe-init") { log in
            let (output, input) = Infallible.pipe()
            let property = Property(initial: 0, then: output.on(disposed: { log("disposed") }))
            let capturing = Property(capturing: property)
            let wrapping = Property(property)
            log("\(capturing.value) \(wrapping.value)")
            input.send(value: 5)
            log("\(capturing.value) \(wrapping.value)")
            input.sendInterrupted()
            log("\(property.value)")
            property.producer.start(log.events("after"))
            property.signal.observe(log.events("sig"))
            let taken = MutableProperty(1)
            var seen: [Int] = []
            taken.producer.take(first: 2).startWithValues { seen.append($0) }
            taken.value = 2
            taken.value = 3
            log("\(seen)")
        }
        add("b2-property-deinit-in-observer") { log in
            final class Holder {
                var property: MutableProperty<Int>? = MutableProperty(0)
            }
            let holder = Holder()
            holder.property?.signal.observe { event in
                log("\(event)")
                if event.value == 1 {
                    holder.property = nil
                    log("released")
                }
            }
            let start = holder.property?.producer.start(log.events("prod"))
            holder.property?.value = 1
            holder.property?.value = 2
            _ = start
            log("end")
        }
        add("m-observe-in-first-value") { log in
            let property = MutableProperty(0)
            property.producer.startWithValues { value in
                if value == 0 { property.signal.observeValues(log.values("inner")) }
                log("outer \(value)")
            }
            property.value = 1
        }
    }
}
