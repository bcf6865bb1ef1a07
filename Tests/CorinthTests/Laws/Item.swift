/// What the streams of the law suite carry: a number to look at, and a token by which a leak of the value is found.
struct Item: Hashable, Sendable, CustomStringConvertible {
    let number: Int
    let token: Live.Token?

    init(_ number: Int, _ token: Live.Token? = nil) {
        self.number = number
        self.token = token
    }

    static func == (left: Item, right: Item) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    var isEven: Bool { number.isMultiple(of: 2) }

    /// The same, for operators that take a key path.
    var itself: Item { self }

    var description: String { "\(number)" }
}
