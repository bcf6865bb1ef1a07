#if NaiveLocks
    internal import Foundation

    /// The naive ring: a mutex, a condition, and an array behind them. It has no bound: a thread that holds a signal's mutex
    /// must not wait for room, and nobody knows here which ones do.
    final class Ring<Element>: @unchecked Sendable {  // What the mutex is for.
        /// Checked, and otherwise of no use.
        let capacity: UInt64

        /// Guards the rest; signalled when anything changes.
        private let condition = NSCondition()
        private var elements = Fifo<Element>()
        private var signalCount: UInt64 = 0
        private var isClosed = false

        init(capacity: Int, isForOne: Bool, isParking: Bool) {
            precondition(
                capacity > 0 && capacity <= 1 << 30,
                "capacity is \(capacity), but must be at least 1 and at most \(1 << 30)")
            var size = 2
            while size < capacity { size *= 2 }
            self.capacity = UInt64(size)
        }

        @discardableResult
        func post(_ element: Element, mayWait: Bool) -> Bool {
            condition.lock()
            defer { condition.unlock() }
            if isClosed { return false }
            elements.append(element)
            condition.broadcast()
            return true
        }

        func close() {
            condition.lock()
            isClosed = true
            condition.unlock()
        }

        func discard() {
            while take() != nil {}
        }

        func postByTaker(_ element: Element) { post(element, mayWait: false) }

        func take() -> Element? {
            condition.lock()
            defer { condition.unlock() }
            return elements.popFirst()
        }

        var isDrained: Bool {
            condition.lock()
            defer { condition.unlock() }
            return elements.isEmpty
        }

        var signals: UInt64 {
            condition.lock()
            defer { condition.unlock() }
            return signalCount
        }

        func signal() {
            condition.lock()
            signalCount += 1
            condition.broadcast()
            condition.unlock()
        }

        func blockingWait(unlessSignalledSince signals: UInt64, until time: WakeTime?) {
            condition.lock()
            defer { condition.unlock() }
            while elements.isEmpty, signalCount == signals {
                guard let time else {
                    condition.wait()
                    continue
                }
                let date = Date(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
                // Foundation counts the nanoseconds of a date in 64 bits, and ends the program at those of the distant future.
                let nearby = Date(timeIntervalSinceNow: 3600)
                if !condition.wait(until: min(date, nearby)), date <= nearby { return }
            }
        }

        func spin(isYielding: Bool) {
            if isYielding { sched_yield() }
        }
    }
#endif
