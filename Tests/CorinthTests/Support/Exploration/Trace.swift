#if Exploration
    import CTestSupport
    @testable import Corinth

    /// What happened in an execution, in readable form.
    struct Trace: CustomStringConvertible {
        enum Entry {
            case operation(Explorer.Operation, String, StaticString, sees: UInt64, isMutated: Bool)
            case old(UInt64)
            case delayed
            case visible(String, UInt64, of: Int)
            case plain(isWrite: Bool)
            case access(isWrite: Bool, at: UInt)
            case interruption
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
                site.description.padding(to: 24) + " \(word) = \(hex(sees)): \(operation.text)"
                    + (isMutated ? "  ← the seeded bug" : "")
            case .old(let value): "    reads the older value \(hex(value))"
            case .delayed: "    other threads don't see this yet"
            case .visible(let word, let value, let thread):
                "    sees that thread \(thread + 1) has stored \(hex(value)) in \(word)"
            case .plain(let isWrite): "    \(isWrite ? "writes" : "reads") plain memory"
            case .access(let isWrite, let place):
                "    \(isWrite ? "writes" : "reads") plain memory in \(function(at: place))"
            case .interruption: "    is interrupted by a signal handler"
            case .submit: "    submits work to a worker"
            case .end: "    ends"
            }
        }
    }

    extension Explorer.Operation {
        fileprivate var text: String {
            switch self {
            case .load(let order): "load, \(order)"
            case .store(let order, let value): "store \(hex(value)), \(order)"
            case .update(let order): "update, \(order)"
            case .compareExchange(let order, let expected): "compare to \(hex(expected)) and exchange, \(order)"
            case .wait(let expected): "wait while \(expected)"
            case .wake: "wake"
            case .spin: "spin"
            case .heavyBarrier: "heavy barrier"
            }
        }
    }

    /// The function at an address of the program; its offset in the program, if its name isn't known.
    private func function(at address: UInt) -> String {
        var offset: UInt = 0
        guard let name = unsafe test_function(address, &offset) else { return "0x" + String(offset, radix: 16) }
        return unsafe String(cString: name)
    }

    private func hex(_ value: UInt64) -> String { value < 10 ? "\(value)" : "0x" + String(value, radix: 16) }

    extension String {
        fileprivate func padding(to width: Int) -> String {
            self + String(repeating: " ", count: Swift.max(0, width - count))
        }
    }

    /// Why an execution breaks the laws.
    enum Failure: Equatable, CustomStringConvertible {
        /// An access to plain memory isn't ordered after an earlier one.
        case race(String)
        /// No thread can continue: each one sleeps, or spins on a word that no thread will write.
        case deadlock([String])
        /// No thread can continue, and work waits for a worker: all of them are busy, and wait.
        case exhausted([String])
        /// A condition of the scenario doesn't hold.
        case broken(String)
        case endless(steps: Int)
        /// A waiter was passed more often than is allowed.
        case starved(String)
        /// Not a finding: there is too much plain memory to watch.
        case crowded
        /// Not a finding: the scenario waits for something that the explorer doesn't control.
        case stuck
        /// Not a finding: the scenario makes different steps when it runs again.
        case inconsistent

        enum Kind: Sendable {
            case race, deadlock, exhausted, broken, endless, starved, mistake
        }

        var kind: Kind {
            switch self {
            case .race: .race
            case .deadlock: .deadlock
            case .exhausted: .exhausted
            case .broken: .broken
            case .endless: .endless
            case .starved: .starved
            case .stuck, .inconsistent, .crowded: .mistake
            }
        }

        var description: String {
            switch self {
            case .race(let other): "data race: the last access isn't ordered after \(other)"
            case .deadlock(let names): "deadlock: \(names.joined(separator: ", ")) can't continue"
            case .exhausted(let names): "no worker is free: \(names.joined(separator: ", ")) can't continue"
            case .broken(let what): what
            case .starved(let whom): "starvation: other threads passed \(whom)"
            case .endless(let steps): "no end after \(steps) steps"
            case .crowded: "the threads use more plain memory than can be watched"
            case .stuck: "a thread waits for something that the explorer doesn't control"
            case .inconsistent:
                "the scenario makes different steps each time it runs: a part of it depends on the time, on an address, or on "
                    + "the state that an earlier execution left behind"
            }
        }
    }
#endif
