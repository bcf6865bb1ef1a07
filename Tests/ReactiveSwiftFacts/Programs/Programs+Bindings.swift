import ReactiveSwift

/// Bindings, and properties that validate.
extension Programs {
    mutating func addBindings() {
        add("binding-target") { log in
            var token: Lifetime.Token? = Lifetime.Token()
            let target = BindingTarget<Int>(lifetime: token.map { Lifetime($0) } ?? .empty, action: log.values("bt"))
            let (output, input) = Infallible.pipe(disposable: log.disposable("src disposed"))
            let binding = target <~ output
            input.send(value: 1)
            input.send(value: 2)
            target <~ InfallibleProducer([3, 4]).on(started: { log("started") }, disposed: { log("disposed") })
            token = nil
            log("tok nil")
            input.send(value: 5)
            log("disposed? \(binding?.isDisposed ?? true)")

            let left = MutableProperty(0)
            let right = MutableProperty(10)
            right <~ left
            left.signal.observeValues(log.values("m"))
            right.signal.observeValues(log.values("n"))
            left <~ right.map { $0 + 0 }.skipRepeats()
            left.value = 3
            log("\(left.value) \(right.value)")
            let optional = MutableProperty<Int?>(nil)
            optional <~ left
            log("\(String(describing: optional.value))")
        }
        add("binding-deinit") { log in
            final class Box {
                let value = MutableProperty(0)
                let log: Log

                init(_ log: Log) { self.log = log }

                deinit { log("box deinit") }
            }
            var box: Box? = Box(log)
            let (output, input) = Infallible.pipe()
            let binding = box.flatMap {
                $0.value <~ output.on(disposed: { log("src disposed") }, value: log.values("on"))
            }
            input.send(value: 1)
            log("\(box?.value.value ?? 0)")
            let signal = box?.value.signal
            signal?.observe(log.events("sig"))
            box?.value.lifetime.observeEnded { log("life ended") }
            box = nil
            log("b nil")
            input.send(value: 2)
            _ = binding
        }
        add("validating") { log in
            let source = MutableProperty(0)
            let other = MutableProperty("x")
            let property = ValidatingProperty<Int, Failure>(source, with: other) { value, _ in
                if value < 0 { return .invalid(Failure(number: value)) }
                return value > 10 ? .coerced(10, Failure(number: 1)) : .valid
            }
            property.signal.observeValues(log.values("v"))
            property.result.signal.observeValues { result in
                let value = result.value.map { "\($0)" } ?? "nil"
                let error = result.error.map { "Optional(\($0))" } ?? "nil"
                log("r \(value) \(error)")
            }
            source.signal.observeValues(log.values("a"))
            property.value = 5
            log("a.value \(source.value)")
            property.value = -1
            log("\(property.value) \(source.value)")
            property.value = 20
            log("\(property.value) \(source.value)")
            source.value = -5
            log("\(property.value)")
            other.value = "y"
            source.value = 30
            log("\(property.value) \(source.value)")
            property.signal.observeValues { value in
                guard value == 7 else { return }
                property.value = 8
                log("nested is \(property.value)")
            }
            property.value = 7
            log("\(property.value) \(source.value)")
        }
        add("m-coerced-error") { log in
            let property = ValidatingProperty<Int, Failure>(0) { value in
                value > 10 ? .coerced(10, Failure(number: 1)) : .valid
            }
            property.value = 20
            let result = property.result.value
            log("\(String(describing: result.error)) \(result.isInvalid) \(String(describing: result.value))")
        }
    }
}
