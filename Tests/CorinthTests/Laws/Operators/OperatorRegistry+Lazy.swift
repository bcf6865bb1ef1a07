import Corinth

extension OperatorRegistry {
    /// The operators of lazy signals.
    mutating func addLazy() {
        add("lazy", signal: { s, _ in s.lazy.signal })
        addLazy("map(_:)") { s, b in s.lazy.map(b.hook { (item: Item) in item }).signal }
        addLazy("compactMap(_:)", .mayWait) { s, b in
            s.lazy.compactMap(b.hook { (item: Item) in item.isEven ? item : nil }).signal
        }
        addLazy("filter(_:)", .mayWait) { s, b in s.lazy.filter(b.hook { (item: Item) in item.isEven }).signal }
        addLazy("on(value:)") { s, b in s.lazy.on(value: b.hook { (_: Item) in }).signal }
        addLazy("mapError(_:)") { s, b in s.lazy.mapError(b.hook { (error: TestError) in error }).signal }
        addLazy("scan(_:_:)") { s, b in s.lazy.scan(Item(0), b.hook { (_: Item, item: Item) in item }).signal }
        addLazy("scan(into:_:)") { s, b in
            s.lazy.scan(into: Item(0), b.hook(changing: { (last: inout Item, item: Item) in last = item })).signal
        }
        addLazy("scanMap(into:_:)") { s, b in
            s.lazy.scanMap(into: Item(0), b.hook(changing: { (_: inout Item, item: Item) in item })).signal
        }
        addLazy("skip(while:)", .mayWait) { s, b in
            s.lazy.skip(while: b.hook { (item: Item) in item.number < 2 }).signal
        }
        addLazy("skipRepeats()", .mayWait) { s, _ in s.lazy.skipRepeats().signal }
        addLazy("skipRepeats(_:)", .mayWait) { s, b in
            s.lazy.skipRepeats(b.hook { (old: Item, new: Item) in old.isEven == new.isEven }).signal
        }
        addLazy("take(while:)", .endsEarly) { s, b in
            s.lazy.take(while: b.hook { (item: Item) in item.number < 6 }).signal
        }
        addLazy("take(until:)", .endsEarly) { s, b in
            s.lazy.take(until: b.hook { (item: Item) in item.number < 6 }).signal
        }
        addLazy("attempt(_:)", .endsEarly) { s, b in
            s.lazy.attempt(b.hook { (item: Item) in item.number < 6 ? .success(()) : .failure(TestError.second) })
                .signal
        }
        addLazy("attemptMap(_:)", .endsEarly) { s, b in
            s.lazy.attemptMap(b.hook { (item: Item) in item.number < 6 ? .success(item) : .failure(TestError.second) })
                .signal
        }
        addLazy("a chain", [.mayWait, .endsEarly]) { s, b in
            s.lazy.map(b.hook { (item: Item) in item }).filter(b.hook { (item: Item) in item.isEven })
                .mapError(b.hook { (error: TestError) in error }).skipRepeats()
                .take(until: b.hook { (item: Item) in item.number < 6 }).signal
        }
    }

    private mutating func addLazy(
        _ variant: String, _ facts: OperatorEntry.Facts = [],
        signal: @escaping @Sendable (Stream, HarnessInputs) -> Stream
    ) {
        add("lazy", variant, facts, signal: signal)
    }
}
