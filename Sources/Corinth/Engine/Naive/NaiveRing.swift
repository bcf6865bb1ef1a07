#if NaiveLocks
    internal import CCorinth

    /// The naive ring: a mutex, a condition and an array. It is unbounded: a thread that holds a signal's mutex must not wait
    /// for capacity, and this build doesn't record which threads hold one.
    final class Ring<Element>: @unchecked Sendable {  // The condition guards the mutable state.
        /// At offset 0. Guards the rest. The taking thread is woken when anything changes.
        private var conditionStorage = Condition.Storage()
        private var elements = Deque<Element>()
        private var signalCount: UInt64 = 0
        private var isClosed = false

        /// Whether the taking thread sleeps.
        private var isAsleep = false

        /// Checked, otherwise unused.
        let capacity: UInt64

        init(capacity: Int, isForOne: Bool, isParking: Bool, takenBy taker: SerialContext? = nil) {
            precondition(
                capacity > 0 && capacity <= 1 << 30,
                "capacity is \(capacity), but must be at least 1 and at most \(1 << 30)")
            var size = 2
            while size < capacity { size *= 2 }
            self.capacity = UInt64(size)
            condition.create(in: &conditionStorage)
        }

        deinit { condition.destroy() }

        private var condition: Condition { Condition(of: self) }

        @discardableResult
        func post(_ element: Element, mayWait: Bool) -> Bool {
            let (isPosted, wakes) = condition.withLock {
                if !isClosed { elements.append(element) }
                return (!isClosed, isAsleep)
            }
            if wakes { condition.broadcast() }
            return isPosted
        }

        func close() { condition.withLock { isClosed = true } }

        func takeAll() -> [Element] {
            var taken: [Element] = []
            while let element = take() { taken.append(element) }
            return taken
        }

        func discard() -> [Element] { takeAll() }

        func postByTaker(_ element: Element) { post(element, mayWait: false) }

        func take() -> Element? { condition.withLock { elements.popFirst() } }

        var hasWork: Bool { !isDrained }

        var count: UInt64 { condition.withLock { UInt64(elements.count) } }

        var isDrained: Bool { condition.withLock { elements.isEmpty } }

        var signals: UInt64 { condition.withLock { signalCount } }

        func signal() {
            condition.withLock { signalCount += 1 }
            condition.broadcast()
        }

        func blockingWait(unlessSignalledSince signals: UInt64, until deadline: UInt64?) {
            condition.withLock {
                isAsleep = true
                defer { isAsleep = false }
                while elements.isEmpty, signalCount == signals {
                    guard let deadline else {
                        condition.wait()
                        continue
                    }
                    let now = MonotonicTime.now
                    if deadline <= now { return }
                    _ = condition.wait(nanoseconds: deadline - now)
                }
            }
        }

        /// Only for wait strategies that spin: the others wait on the condition.
        func spin(isYielding: Bool) {
            if isYielding { ccorinth_yield() }
        }
    }
#endif
