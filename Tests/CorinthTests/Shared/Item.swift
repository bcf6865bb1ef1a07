/// The value type of the law suite's streams: a number to compare, and a token that reveals a leak of the value.
struct Item: Hashable, Comparable, Sendable, CustomStringConvertible {
    let number: Int
    let token: LeakCounter.Token?

    init(_ number: Int, _ token: LeakCounter.Token? = nil) {
        self.number = number
        self.token = token
    }

    static func == (left: Item, right: Item) -> Bool { left.number == right.number }

    static func < (left: Item, right: Item) -> Bool { left.number < right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    var isEven: Bool { number.isMultiple(of: 2) }

    /// Returns the item itself, for operators that take a key path.
    var itself: Item { self }

    var description: String { "\(number)" }
}
