/// What an operation returned.
enum OperationResult: Hashable, Sendable {
    case done
    case flag(Bool)
    case number(Int?)
    case numbers([Int])
}

/// One call of an operation.
struct Call<Operation: Sendable>: Sendable {
    let thread: Int
    let operation: Operation

    /// Nil if the call hasn't returned. Then the operation may have taken effect or not.
    var outcome: OperationResult?

    /// When the call began and when it returned.
    let begin: Int
    var end: Int
}

/// The calls of some threads on one object.
struct History<Operation: Sendable>: Sendable {
    /// Which calls come before others.
    enum Order: Sendable {
        /// A call that returned before another one began comes before it, on any threads. The times are of one clock.
        case realTime
        /// Only the calls of one thread are ordered. Their times are hints. Then no thread touches a word of the recorder that
        /// another one writes, so the threads race more closely.
        case program
    }

    let order: Order
    var calls: [Call<Operation>]

    /// The thread of calls that are made after all others have returned.
    static var after: Int { -1 }

    /// For each call, the calls that come before it in every sequential order, as indices.
    var predecessors: [[Int]] {
        let (begins, ends, threads) = (calls.map(\.begin), calls.map(\.end), calls.map(\.thread))
        return calls.indices.map { second in
            calls.indices.filter { first in
                if threads[first] == threads[second] { return ends[first] < begins[second] }
                if threads[first] == Self.after { return false }
                return threads[second] == Self.after || order == .realTime && ends[first] < begins[second]
            }
        }
    }

    /// The prefixes that end where a call returns, from the shortest to the whole. In real time only: each prefix of a
    /// linearizable history is linearizable, so the shortest prefix that isn't shows the fault.
    var prefixes: [History] {
        guard order == .realTime else { return [self] }
        return calls.map(\.end).sorted().map { end in
            var prefix = self
            prefix.calls = calls.filter { $0.begin <= end }.map { call in
                var call = call
                if call.end > end {
                    call.outcome = nil
                    call.end = .max
                }
                return call
            }
            return prefix
        }
    }
}

extension History: CustomStringConvertible {
    /// A line per call, in the order of their beginnings: the thread, when the call was in progress, the operation and what
    /// it returned.
    var description: String {
        let ranked = calls.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
        let times = Set(calls.flatMap { [$0.begin, $0.end] }).sorted()
        let column = Dictionary(uniqueKeysWithValues: times.enumerated().map { ($1, $0) })
        return ranked.map { _, call in
            let thread = call.thread == Self.after ? "afterwards" : "thread \(call.thread)"
            let (begin, end) = (column[call.begin] ?? 0, column[call.end] ?? 0)
            let bar =
                String(repeating: " ", count: begin) + "├" + String(repeating: "─", count: max(0, end - begin - 1))
                + (call.outcome == nil ? "…" : "┤")
            return "  " + thread.padded(to: 12) + (order == .realTime ? bar.padded(to: times.count + 2) : "")
                + "\(call.operation)\(call.outcome.map { " → \($0)" } ?? ", which hasn't returned")"
        }.joined(separator: "\n")
    }
}

extension OperationResult: CustomStringConvertible {
    var description: String {
        switch self {
        case .done: "done"
        case .flag(let flag): "\(flag)"
        case .number(let number): number.map(String.init) ?? "nil"
        case .numbers(let numbers): "\(numbers)"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
