#if Exploration
    @testable import Corinth

    /// What happened in an execution, for a person to follow.
    struct Trace: CustomStringConvertible {
        enum Entry {
            case operation(Explorer.Operation, String, StaticString, sees: UInt64, isMutated: Bool)
            case old(UInt64)
            case plain(isWrite: Bool)
            case submit
            case end
        }

        var names: [String] = []
        private var entries: [(thread: Int, entry: Entry)] = []

        mutating func add(_ thread: Int, _ entry: Entry) {
            entries.append((thread, entry))
        }

        var description: String {
            let width = names.map(\.count).max() ?? 0
            return entries.map { thread, entry in
                let name = names[thread].padding(to: width)
                return "  \(name)  \(entry)"
            }.joined(separator: "\n")
        }
    }

    extension Trace.Entry: CustomStringConvertible {
        var description: String {
            switch self {
            case .operation(let operation, let word, let site, let sees, let isMutated):
                site.description.padding(to: 24) + " \(word), which is \(hex(sees)): \(operation.text)"
                    + (isMutated ? "  ← the seeded bug" : "")
            case .old(let value): "    reads the older value \(hex(value))"
            case .plain(let isWrite): "    \(isWrite ? "writes" : "reads") plain memory"
            case .submit: "    submits work to a worker"
            case .end: "    ends"
            }
        }
    }

    extension Explorer.Operation {
        fileprivate var text: String {
            switch self {
            case .load(let order): "load, \(order)"
            case .store(let order): "store, \(order)"
            case .update(let order): "update, \(order)"
            case .compareExchange(let order, let expected): "compare to \(hex(expected)) and exchange, \(order)"
            case .wait(let expected): "wait while \(expected)"
            case .wake: "wake"
            case .spin: "spin"
            }
        }
    }

    private func hex(_ value: UInt64) -> String { value < 10 ? "\(value)" : "0x" + String(value, radix: 16) }

    extension String {
        fileprivate func padding(to width: Int) -> String {
            self + String(repeating: " ", count: Swift.max(0, width - count))
        }
    }

    /// Why an execution is not what the laws say.
    enum Failure: Equatable, CustomStringConvertible {
        /// An access to plain memory is not ordered after an earlier one.
        case race(String)
        /// Nobody can go on: every thread sleeps, or spins on what nobody will change.
        case deadlock([String])
        /// The scenario says that something is wrong.
        case broken(String)
        case endless(steps: Int)
        /// A waiter is passed more often than it should be.
        case starved(String)
        /// Not a finding: the scenario waits for something that is not under control.
        case stuck
        /// Not a finding: the scenario makes other steps when it is run again.
        case inconsistent

        enum Kind: Sendable {
            case race, deadlock, broken, endless, starved, mistake
        }

        var kind: Kind {
            switch self {
            case .race: .race
            case .deadlock: .deadlock
            case .broken: .broken
            case .endless: .endless
            case .starved: .starved
            case .stuck, .inconsistent: .mistake
            }
        }

        var description: String {
            switch self {
            case .race(let other): "data race: the last access is not ordered after \(other)"
            case .deadlock(let names): "deadlock: \(names.joined(separator: ", ")) can't go on"
            case .broken(let what): what
            case .starved(let whom): "starvation: while it waits, others pass \(whom)"
            case .endless(let steps): "no end in sight after \(steps) steps"
            case .stuck: "a thread waits for something that the explorer doesn't control"
            case .inconsistent:
                "the scenario is not the same each time it runs: something in it depends on the time, on an address, or on "
                    + "what an execution before has left"
            }
        }
    }
#endif
