public import CorinthTesting
import Foundation

/// The output of an example. Each line begins with its virtual time.
public struct Transcript: Sendable {
    private let scheduler: TestScheduler

    /// Creates a transcript for a clock that begins at 0.
    public init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// Prints a line.
    public func callAsFunction(_ text: String) {
        let milliseconds = Int((scheduler.currentDate.timeIntervalSinceReferenceDate * 1000).rounded())
        let seconds = "\(milliseconds / 1000).\(milliseconds % 1000 / 100)"
        print(String(repeating: " ", count: max(0, 5 - seconds.count)) + seconds + "  " + text)
    }

    /// Ends the program with a non-zero exit status if the values differ.
    public func check<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) {
        guard found == expected else {
            print("wrong: \(what) is \(found), but must be \(expected)")
            exit(1)
        }
        print("  ok   \(what): \(found)")
    }
}
