import Foundation
import ReactiveSwift

/// The error of all recorded programs. A number tells them apart.
struct Failure: Error, Equatable, CustomStringConvertible {
    var number = 0

    var description: String { "E\(number)" }
}

/// What a program prints, entry by entry. Any thread may add an entry.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []

    func callAsFunction(_ entry: String) {
        lock.withLock { entries.append(entry) }
    }

    /// The entries so far, which the log then no longer has.
    func take() -> [String] {
        lock.withLock {
            defer { entries = [] }
            return entries
        }
    }
}
