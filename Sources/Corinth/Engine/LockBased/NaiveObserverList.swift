#if NaiveLocks
    /// The naive observer list: a copy-on-write array. Each delivery takes a snapshot under the lock.
    @frozen
    @usableFromInline
    struct ObserverList<Value, Error: Swift.Error> {
        @usableFromInline var slots: [ObserverSlot<Value, Error>] = []
        @usableFromInline var lastID: UInt64 = 0

        @inlinable
        init() {}

        @inlinable
        mutating func insert(
            _ sink: __owned Sink<Value, Error>, _ observation: ObserverPlace?, firstAt place: SlotPlace
        ) -> UInt64 {
            lastID &+= 1
            slots.append(ObserverSlot(id: lastID, sink: sink, observation: observation))
            return lastID
        }

        /// Identifiers ascend, so this is a binary search.
        @inlinable
        mutating func remove(_ id: UInt64) -> ObserverSlot<Value, Error>? {
            var low = 0
            var high = slots.count
            while low < high {
                let middle = (low + high) / 2
                if slots[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low < slots.count && slots[low].id == id ? slots.remove(at: low) : nil
        }

        @inlinable
        func shrink() {}

        @inlinable
        mutating func takeAll() -> ObserverList {
            let all = self
            slots = []
            return all
        }

        @inlinable @inline(__always)
        func send(_ value: Value) -> Bool {
            if slots.isEmpty { return false }
            for slot in slots where !slot.isDisposed { slot.sink.onValue(value) }
            return true
        }

        @inlinable
        func terminate(_ termination: Termination<Error>) {
            for slot in slots where !slot.isDisposed { slot.sink.onTermination(termination) }
        }

        @inlinable
        func release() {}
    }

    /// Unused by an array.
    @frozen
    @usableFromInline
    struct SlotPlace {
        @usableFromInline typealias Storage = Void

        @inlinable
        init(of object: AnyObject, at offset: Int) {}

        @inlinable
        static var empty: Storage { () }
    }

    /// One observer.
    @frozen
    @usableFromInline
    struct ObserverSlot<Value, Error: Swift.Error> {
        @usableFromInline let id: UInt64
        @usableFromInline let sink: Sink<Value, Error>
        @usableFromInline let observation: ObserverPlace?

        @inlinable
        init(id: UInt64, sink: Sink<Value, Error>, observation: ObserverPlace?) {
            self.id = id
            self.sink = sink
            self.observation = observation
        }

        @inlinable
        var isDisposed: Bool { observation?.flag.isRaised(.acquire) ?? false }
    }
#endif
