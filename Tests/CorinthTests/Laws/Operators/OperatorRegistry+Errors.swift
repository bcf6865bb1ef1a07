import Corinth

extension OperatorRegistry {
    mutating func addErrors() {
        add(
            "mapError(_:)",
            signal: { s, b in s.mapError(b.hook { (error: TestError) in error }) },
            producer: { p, b in p.mapError(b.hook { (error: TestError) in error }) })
        add(
            "materialize()", [.recovers, .showsEnds],
            signal: { s, _ in s.materialize().map { $0.value ?? Item(-1) }.promoteError(TestError.self) },
            producer: { p, _ in p.materialize().map { $0.value ?? Item(-1) }.promoteError(TestError.self) })
        add(
            "dematerialize()",
            signal: { s, _ in s.materialize().dematerialize() },
            producer: { p, _ in p.materialize().dematerialize() })
        add(
            "materializeResults()", .recovers,
            signal: { s, _ in
                s.materializeResults().map { (try? $0.get()) ?? Item(-1) }.promoteError(TestError.self)
            },
            producer: { p, _ in
                p.materializeResults().map { (try? $0.get()) ?? Item(-1) }.promoteError(TestError.self)
            })
        add(
            "dematerializeResults()",
            signal: { s, _ in s.materializeResults().dematerializeResults() },
            producer: { p, _ in p.materializeResults().dematerializeResults() })
        addAttempts()
        add(
            "promoteError(_:)", "to another", .recovers,
            signal: { s, _ in s.infallible { $0 }.promoteError(TestError.self) },
            producer: { p, _ in p.infallible { $0 }.promoteError(TestError.self) })
        add(
            "promoteError(_:)", "to the same", .recovers,
            signal: { s, _ in
                let none: Signal<Item, Never> = s.infallible { $0 }.promoteError(Never.self)
                return none.promoteError(TestError.self)
            },
            producer: { p, _ in
                let none: SignalProducer<Item, Never> = p.infallible { $0 }.promoteError(Never.self)
                return none.promoteError(TestError.self)
            })
        add(
            "promoteValue(_:)", [.mayWait, .changesValues],
            signal: { s, _ in
                let none: Signal<Never, TestError> = s.filter { _ in false }.map { _ in fatalError("no value comes") }
                return none.promoteValue(Item.self)
            },
            producer: { p, _ in
                let none: SignalProducer<Never, TestError> =
                    p.filter { _ in false }.map { _ in fatalError("no value comes") }
                return none.promoteValue(Item.self)
            })
        add(
            "flatMapError(_:)", "producer", .recovers,
            signal: { s, b in
                s.flatMapError(b.hook { (_: TestError) in SignalProducer<Item, TestError>([Item(-1), Item(-2)]) })
            },
            producer: { p, b in
                p.flatMapError(b.hook { (_: TestError) in SignalProducer<Item, TestError>([Item(-1), Item(-2)]) })
            })
        add(
            "flatMapError(_:)", "another source", others: 1, [.recovers, .outlives],
            signal: { s, b in
                let other = b.signals[0]
                return s.flatMapError(b.hook { (_: TestError) in other })
            },
            producer: { p, b in
                let other = b.producers[0]
                return p.flatMapError(b.hook { (_: TestError) in other })
            })
        add(
            "retry(upTo:)", [.recovers, .restarts],
            producer: { p, _ in p.retry(upTo: 2) })
        add(
            "repeat(_:)", [.restarts],
            producer: { p, _ in p.repeat(2) })
    }

    private mutating func addAttempts() {
        add(
            "attempt(_:)", "result", .endsEarly,
            signal: { s, b in s.attempt(b.check) },
            producer: { p, b in p.attempt(b.check) })
        add(
            "attempt(_:)", "throwing, any error", .endsEarly,
            signal: { s, b in s.mapError { $0 as any Error }.attempt(b.throwingCheck).mapError(testError) },
            producer: { p, b in p.mapError { $0 as any Error }.attempt(b.throwingCheck).mapError(testError) })
        add(
            "attempt(_:)", "throwing, no error before", [.endsEarly, .recovers],
            signal: { s, b in s.infallible { $0 }.attempt(b.throwingCheck).mapError(testError) },
            producer: { p, b in p.infallible { $0 }.attempt(b.throwingCheck).mapError(testError) })
        add(
            "attemptMap(_:)", "result", .endsEarly,
            signal: { s, b in s.attemptMap(b.checked) },
            producer: { p, b in p.attemptMap(b.checked) })
        add(
            "attemptMap(_:)", "throwing, any error", .endsEarly,
            signal: { s, b in s.mapError { $0 as any Error }.attemptMap(b.throwingChecked).mapError(testError) },
            producer: { p, b in p.mapError { $0 as any Error }.attemptMap(b.throwingChecked).mapError(testError) })
        add(
            "attemptMap(_:)", "throwing, no error before", [.endsEarly, .recovers],
            signal: { s, b in s.infallible { $0 }.attemptMap(b.throwingChecked).mapError(testError) },
            producer: { p, b in p.infallible { $0 }.attemptMap(b.throwingChecked).mapError(testError) })
    }
}

@Sendable private func testError(_ error: any Error) -> TestError { (error as? TestError) ?? .second }

/// Checks that fail at item 7.
extension HarnessInputs {
    fileprivate var check: @Sendable (Item) -> Result<(), TestError> {
        hook { $0.number == 7 ? .failure(.second) : .success(()) }
    }

    fileprivate var checked: @Sendable (Item) -> Result<Item, TestError> {
        hook { $0.number == 7 ? .failure(.second) : .success($0) }
    }

    fileprivate var throwingCheck: @Sendable (Item) throws -> Void {
        hook(throwing: { if $0.number == 7 { throw TestError.second } })
    }

    fileprivate var throwingChecked: @Sendable (Item) throws -> Item {
        hook(throwing: { if $0.number == 7 { throw TestError.second } else { $0 } })
    }
}
