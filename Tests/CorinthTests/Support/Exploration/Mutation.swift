#if Exploration
    @testable import Corinth

    /// A bug that is seeded into one atomic operation of the library during an exploration.
    struct Mutation: Sendable, CustomStringConvertible {
        enum Effect: Sendable {
            /// The operation neither releases nor acquires.
            case relaxed
            /// The operation acquires and releases, but isn't part of the total order of sequentially consistent operations.
            case notSequential
            /// A compare-exchange stores without comparing.
            case storeInstead
            /// A store, an exchange, an addition or a barrier doesn't happen; a `wake` wakes no thread.
            case skipped
        }

        /// The name of the function with the operation, in the format of `#function`.
        let site: String
        let operation: OperationKind
        let effect: Effect

        var description: String { "\(effect) \(operation) in \(site)" }

        func applies(to operation: Explorer.Operation, at site: StaticString) -> Bool {
            operation.kind == self.operation && site.description == self.site
        }
    }

    enum OperationKind: Sendable {
        case load, store, update, compareExchange, wait, wake, spin, lightBarrier, heavyBarrier
    }

    extension Explorer.Operation {
        var kind: OperationKind {
            switch self {
            case .load: .load
            case .store: .store
            case .update: .update
            case .compareExchange: .compareExchange
            case .wait: .wait
            case .wake: .wake
            case .spin: .spin
            case .heavyBarrier: .heavyBarrier
            }
        }

        /// The ordering that the operation guarantees, with the mutation applied if there is one.
        func promises(_ mutation: Mutation?) -> Promises {
            let promises =
                switch self {
                case .load(.relaxed), .store(.relaxed, _), .update(.relaxed), .compareExchange(.relaxed, _):
                    Promises()
                case .load(.acquire), .update(.acquire), .compareExchange(.acquire, _):
                    Promises(acquires: true)
                case .store(.release, _), .update(.release), .compareExchange(.release, _):
                    Promises(releases: true)
                case .update(.acquireRelease), .compareExchange(.acquireRelease, _):
                    Promises(acquires: true, releases: true)
                case .load(.sequential), .store(.sequential, _), .update(.sequential),
                    .compareExchange(.sequential, _):
                    Promises(acquires: true, releases: true, isSequential: true)
                case .wait, .wake, .spin, .heavyBarrier: Promises()
                }
            return switch mutation?.effect {
            case nil, .storeInstead, .skipped: promises
            case .relaxed: Promises()
            case .notSequential: Promises(acquires: promises.acquires, releases: promises.releases)
            }
        }
    }

    /// A memory order, split into its parts.
    struct Promises {
        var acquires = false
        var releases = false
        var isSequential = false
    }
#endif
