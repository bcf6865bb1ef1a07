#if !NaiveLocks
    import Corinth
    import Dispatch

    /// A seeded fault between the stream and its observers. The check of one law must find it.
    enum ThreadedFault: String, Sendable, CaseIterable {
        /// A value after the end; a callback inside another one.
        case afterEnd, overlap
        /// One of two observers misses values; two values of a sender are swapped; both observers miss a value.
        case disagree, swap, lose
        /// A value stays alive; a callback never returns.
        case leak, stall

        var law: Law {
            switch self {
            case .afterEnd: .grammar
            case .overlap: .serial
            case .disagree: .agreement
            case .swap: .senderOrder
            case .lose: .ends
            case .leak: .leaks
            case .stall: .reentrancy
            }
        }
    }

    /// The observer of a case: a log, and a fault if one is seeded.
    final class ThreadedObserver: @unchecked Sendable {  // The stream serialises its callbacks.
        let log = EventLog(spin: 2)
        private let isFirst: Bool
        private let fault: ThreadedFault?
        private let stop: DispatchSemaphore
        private let onEvent: @Sendable (Stream.Event) -> Void
        private var count = 0
        private var held: Item?
        private var leaked: LeakCounter.Token?

        /// - Parameters:
        ///   - isFirst: Whether it is the first of two.
        ///   - stop: A callback that is seeded to stall waits for it.
        ///   - onEvent: Runs in each callback.
        init(
            isFirst: Bool = false, _ fault: ThreadedFault?, stop: DispatchSemaphore,
            _ onEvent: @escaping @Sendable (Stream.Event) -> Void
        ) {
            self.isFirst = isFirst
            self.fault = fault
            self.stop = stop
            self.onEvent = onEvent
        }

        func receive(_ event: Stream.Event) {
            onEvent(event)
            guard let fault else { return log.receive(event) }
            if let item = event.value { receive(item, fault) } else { end(event, fault) }
        }

        private func receive(_ item: Item, _ fault: ThreadedFault) {
            count += 1
            switch fault {
            case .disagree where isFirst && count == 2, .lose where count == 2: return
            case .swap:
                guard let held else { return held = item }
                self.held = nil
                log.receive(.value(item))
                return log.receive(.value(held))
            case .overlap where count == 2:
                log.onEvent = { [unowned log] _ in
                    log.forget()
                    log.receive(.value(item))
                }
            case .leak where count == 1: leaked = item.token
            case .stall where count == 2 && isFirst: stop.wait()
            default: break
            }
            log.receive(.value(item))
        }

        private func end(_ event: Stream.Event, _ fault: ThreadedFault) {
            if let held { log.receive(.value(held)) }
            held = nil
            log.receive(event)
            if fault == .afterEnd { log.receive(.value(Item(1))) }
        }
    }
#endif
