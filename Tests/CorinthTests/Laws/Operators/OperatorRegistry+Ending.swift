import Corinth

extension OperatorRegistry {
    mutating func addEnding() {
        add(
            "take(first:)", .endsEarly,
            signal: { s, _ in s.take(first: 3) },
            producer: { p, _ in p.take(first: 3) })
        add(
            "take(last:)", [.mayWait, .holds, .keepsLast],
            signal: { s, _ in s.take(last: 2) },
            producer: { p, _ in p.take(last: 2) })
        add(
            "take(while:)", .endsEarly,
            signal: { s, b in s.take(while: b.hook { (item: Item) in item.number < 6 }) },
            producer: { p, b in p.take(while: b.hook { (item: Item) in item.number < 6 }) })
        add(
            "take(until:)", "predicate", .endsEarly,
            signal: { s, b in s.take(until: b.hook { (item: Item) in item.number < 6 }) },
            producer: { p, b in p.take(until: b.hook { (item: Item) in item.number < 6 }) })
        add(
            "skip(first:)", .mayWait,
            signal: { s, _ in s.skip(first: 2) },
            producer: { p, _ in p.skip(first: 2) })
        add(
            "skip(while:)", .mayWait,
            signal: { s, b in s.skip(while: b.hook { (item: Item) in item.number < 2 }) },
            producer: { p, b in p.skip(while: b.hook { (item: Item) in item.number < 2 }) })
        add(
            "take(during:)",
            signal: { s, b in s.take(during: b.lifetime) },
            producer: { p, b in p.take(during: b.lifetime) })
    }

    mutating func addCollecting() {
        add(
            "collect()", [.mayWait, .holds, .keepsLast],
            signal: { s, _ in s.collect().map { $0.last ?? Item(0) } },
            producer: { p, _ in p.collect().map { $0.last ?? Item(0) } })
        add(
            "collect(bufferingPolicy:statistics:)", [.mayWait, .holds, .keepsLast],
            signal: { s, _ in s.collect(bufferingPolicy: .latest).map { $0.last ?? Item(0) } },
            producer: { p, _ in p.collect(bufferingPolicy: .latest).map { $0.last ?? Item(0) } })
        add(
            "collect(count:)", [.mayWait, .holds, .keepsLast],
            signal: { s, _ in s.collect(count: 3).map { $0.last ?? Item(0) } },
            producer: { p, _ in p.collect(count: 3).map { $0.last ?? Item(0) } })
        add(
            "collect(_:)", "collected", [.mayWait, .holds, .keepsLast],
            signal: { s, b in s.collect(b.hook { (list: [Item]) in list.count == 2 }).map { $0.last ?? Item(0) } },
            producer: { p, b in p.collect(b.hook { (list: [Item]) in list.count == 2 }).map { $0.last ?? Item(0) } })
        add(
            "collect(_:)", "collected and latest", [.mayWait, .holds, .keepsLast],
            signal: { s, b in
                s.collect(b.hook { (_: [Item], item: Item) in item.isEven }).map { $0.last ?? Item(0) }
            },
            producer: { p, b in
                p.collect(b.hook { (_: [Item], item: Item) in item.isEven }).map { $0.last ?? Item(0) }
            })
    }
}
