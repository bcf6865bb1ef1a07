/// A test looks at the sum, and none at the log.
struct Countdown {
    var sum = 0
    var log: [Int] = []

    mutating func count(from number: Int) {
        guard number > 0 else { return }
        var left = number
        while left != 0 {
            sum += left
            log.append(left)
            left -= 1
        }
    }

    /// No test calls this.
    static func length(of text: String?) -> Int {
        guard text != "" else { return 0 }
        return text?.count ?? 0
    }
}
