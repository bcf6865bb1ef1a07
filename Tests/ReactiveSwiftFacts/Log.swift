import Foundation
import ReactiveSwift

/// The error of all recorded programs. A number tells them apart.
struct Failure: Error, Equatable, CustomStringConvertible {
    var number = 0

    var description: String { "E\(number)" }
}

typealias Numbers = Signal<Int, Failure>
typealias NumberProducer = SignalProducer<Int, Failure>
typealias Infallible = Signal<Int, Never>
typealias InfallibleProducer = SignalProducer<Int, Never>

/// What a program prints, entry by entry. Any thread may add an entry.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []
    private var kept: [AnyObject] = []

    func callAsFunction(_ entry: String) {
        lock.withLock { entries.append(entry) }
    }

    /// An observer that adds each event behind a label.
    func events<Value, Error>(_ label: String) -> @Sendable (Signal<Value, Error>.Event) -> Void {
        { self("\(label) \($0)") }
    }

    /// An observer that adds each event.
    func events<Value, Error>() -> @Sendable (Signal<Value, Error>.Event) -> Void {
        { self("\($0)") }
    }

    /// An observer that adds each value behind a label.
    func values<Value>(_ label: String) -> @Sendable (Value) -> Void {
        { self("\(label) \($0)") }
    }

    /// What adds this entry when it is disposed of.
    func disposable(_ entry: String) -> AnyDisposable {
        AnyDisposable { self(entry) }
    }

    /// Keeps an object alive when the program has returned.
    func keep(_ object: AnyObject) {
        lock.withLock { kept.append(object) }
    }

    /// The entries so far, which the log then no longer has.
    func take() -> [String] {
        lock.withLock {
            defer { entries = [] }
            return entries
        }
    }
}
