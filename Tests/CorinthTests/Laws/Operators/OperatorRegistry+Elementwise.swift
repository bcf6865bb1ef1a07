import Corinth

extension OperatorRegistry {
    mutating func addElementwise() {
        add(
            "map(_:)", "closure",
            signal: { s, b in s.map(b.hook { (item: Item) in item }) },
            producer: { p, b in p.map(b.hook { (item: Item) in item }) })
        add(
            "map(_:)", "key path",
            signal: { s, _ in s.map(\.itself) },
            producer: { p, _ in p.map(\.itself) })
        add(
            "map(value:)", .changesValues,
            signal: { s, b in s.map(value: Item(7, b.leaks.token())) },
            producer: { p, b in p.map(value: Item(7, b.leaks.token())) })
        add(
            "filter(_:)", .mayWait,
            signal: { s, b in s.filter(b.hook { (item: Item) in item.isEven }) },
            producer: { p, b in p.filter(b.hook { (item: Item) in item.isEven }) })
        add(
            "compactMap(_:)", .mayWait,
            signal: { s, b in s.compactMap(b.hook { (item: Item) in item.isEven ? item : nil }) },
            producer: { p, b in p.compactMap(b.hook { (item: Item) in item.isEven ? item : nil }) })
        add(
            "skipNil()", .mayWait,
            signal: { s, b in
                s.map(b.hook { (item: Item) -> Item? in item.isEven ? item : nil }).skipNil()
            },
            producer: { p, b in
                p.map(b.hook { (item: Item) -> Item? in item.isEven ? item : nil }).skipNil()
            })
        add(
            "skipRepeats()", .mayWait,
            signal: { s, _ in s.skipRepeats() },
            producer: { p, _ in p.skipRepeats() })
        add(
            "skipRepeats(_:)", .mayWait,
            signal: { s, b in s.skipRepeats(b.hook { (old: Item, new: Item) in old.isEven == new.isEven }) },
            producer: { p, b in p.skipRepeats(b.hook { (old: Item, new: Item) in old.isEven == new.isEven }) })
        add(
            "uniqueValues()", .mayWait,
            signal: { s, _ in s.uniqueValues() },
            producer: { p, _ in p.uniqueValues() })
        add(
            "uniqueValues(_:)", .mayWait,
            signal: { s, b in s.uniqueValues(b.hook { (item: Item) in item.number / 2 }) },
            producer: { p, b in p.uniqueValues(b.hook { (item: Item) in item.number / 2 }) })
        addFolds()
        add(
            "negate()", .changesValues,
            signal: { s, b in
                s.map(b.hook { (item: Item) in item.isEven }).negate().map { Item($0 ? 1 : 0) }
            },
            producer: { p, b in
                p.map(b.hook { (item: Item) in item.isEven }).negate().map { Item($0 ? 1 : 0) }
            })
        add(
            "flatten()",
            signal: { s, b in s.map(b.hook { (item: Item) in [item, item] }).flatten() },
            producer: { p, b in p.map(b.hook { (item: Item) in [item, item] }).flatten() })
        add(
            "lift(_:)",
            producer: { p, b in p.lift { $0.map(b.hook { (item: Item) in item }) } })
    }

    private mutating func addFolds() {
        add(
            "scan(_:_:)",
            signal: { s, b in s.scan(Item(0), b.hook { (_: Item, item: Item) in item }) },
            producer: { p, b in p.scan(Item(0), b.hook { (_: Item, item: Item) in item }) })
        add(
            "scan(into:_:)",
            signal: { s, b in s.scan(into: Item(0), b.hook(changing: { (last: inout Item, item: Item) in last = item }))
            },
            producer: { p, b in
                p.scan(into: Item(0), b.hook(changing: { (last: inout Item, item: Item) in last = item }))
            })
        add(
            "scan(_:_:)", "sum", .changesValues,
            signal: { s, b in s.scan(Item(0), b.hook { (sum: Item, item: Item) in Item(sum.number + item.number) }) },
            producer: { p, b in
                p.scan(Item(0), b.hook { (sum: Item, item: Item) in Item(sum.number + item.number) })
            })
        add(
            "scanMap(_:_:)",
            signal: { s, b in s.scanMap(0, b.hook { (count: Int, item: Item) in (count + 1, item) }) },
            producer: { p, b in p.scanMap(0, b.hook { (count: Int, item: Item) in (count + 1, item) }) })
        add(
            "scanMap(into:_:)",
            signal: { s, b in
                s.scanMap(
                    into: 0,
                    b.hook(changing: { (count: inout Int, item: Item) -> Item in
                        count += 1
                        return item
                    }))
            },
            producer: { p, b in
                p.scanMap(
                    into: 0,
                    b.hook(changing: { (count: inout Int, item: Item) -> Item in
                        count += 1
                        return item
                    }))
            })
        add(
            "combinePrevious()", .mayWait,
            signal: { s, _ in s.combinePrevious().map { $0.1 } },
            producer: { p, _ in p.combinePrevious().map { $0.1 } })
        add(
            "combinePrevious(_:)",
            signal: { s, b in s.combinePrevious(Item(0, b.leaks.token())).map { $0.1 } },
            producer: { p, b in p.combinePrevious(Item(0, b.leaks.token())).map { $0.1 } })
        add(
            "reduce(_:_:)", [.mayWait, .holds, .keepsLast],
            signal: { s, b in s.reduce(Item(0), b.hook { (_: Item, item: Item) in item }) },
            producer: { p, b in p.reduce(Item(0), b.hook { (_: Item, item: Item) in item }) })
        add(
            "reduce(into:_:)", [.mayWait, .holds, .keepsLast],
            signal: { s, b in
                s.reduce(into: Item(0), b.hook(changing: { (last: inout Item, item: Item) in last = item }))
            },
            producer: { p, b in
                p.reduce(into: Item(0), b.hook(changing: { (last: inout Item, item: Item) in last = item }))
            })
    }
}
