#if NaiveLocks
    /// The naive observer list: a copy-on-write array. Each delivery takes a snapshot under the lock.
    @frozen
    @usableFromInline
    @safe struct ObserverList {
        /// The memory of the list, inside the signal's state.
        @frozen
        @usableFromInline
        struct Storage {
            @usableFromInline var slots: [ErasedSlot] = []
            @usableFromInline var lastID: UInt64 = 0

            @inlinable
            init() {}
        }

        @usableFromInline let storage: UnsafeMutablePointer<Storage>

        /// The storage at `offset` in the stored properties of `object`.
        @inlinable @inline(__always)
        init(of object: AnyObject, at offset: Int) {
            let properties = unsafe _getUnsafePointerToStoredProperties(object)
            unsafe storage = (properties + offset).assumingMemoryBound(to: Storage.self)
        }

        /// What a delivery walks over.
        @inlinable @inline(__always)
        var snapshot: TakenObservers { unsafe TakenObservers(storage.pointee.slots) }

        @inlinable
        func insert<Value, Error: Swift.Error>(
            _ sink: __owned Sink<Value, Error>, _ observation: Unmanaged<ObserverMark>?
        ) -> UInt64 {
            unsafe storage.pointee.lastID &+= 1
            let id = unsafe storage.pointee.lastID
            let slot = unsafe ObserverSlot<Value, Error>(
                id: id, sink: sink, observation: observation?.takeRetainedValue())
            // All slots have the same layout.
            unsafe storage.pointee.slots.append(unsafeBitCast(slot, to: ErasedSlot.self))
            return id
        }

        /// Identifiers ascend, so this is a binary search.
        func remove(_ id: UInt64) -> ErasedSlot? {
            var low = 0
            var high = unsafe storage.pointee.slots.count
            while low < high {
                let middle = (low + high) / 2
                if unsafe storage.pointee.slots[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return unsafe low < storage.pointee.slots.count && storage.pointee.slots[low].id == id
                ? storage.pointee.slots.remove(at: low) : nil
        }

        /// Moves an observer behind all others, and returns its new identifier; 0 if it isn't in the list.
        func moveToEnd(_ id: UInt64) -> UInt64 {
            guard let slot = remove(id) else { return 0 }
            unsafe storage.pointee.lastID &+= 1
            let next = unsafe storage.pointee.lastID
            unsafe storage.pointee.slots.append(ErasedSlot(id: next, sink: slot.sink, observation: slot.observation))
            return next
        }

        /// Whether there is no observer.
        @inlinable
        var isEmpty: Bool { unsafe storage.pointee.slots.isEmpty }

        @usableFromInline
        func takeAll() -> TakenObservers {
            let all = snapshot
            unsafe storage.pointee.slots = []
            return all
        }

        func release() {}
    }

    /// The observers of a signal at one moment.
    @frozen
    @usableFromInline
    struct TakenObservers {
        @usableFromInline let slots: [ErasedSlot]

        @inlinable @inline(__always)
        init(_ slots: [ErasedSlot]) { self.slots = slots }

        @inlinable @inline(__always)
        func send<Value, Error: Swift.Error>(_ value: Value, to type: Sink<Value, Error>.Type) -> Bool {
            for slot in slots where !slot.isDisposed {
                unsafe unsafeBitCast(slot, to: ObserverSlot<Value, Error>.self).sink.onValue(value)
            }
            return !slots.isEmpty
        }

        @inlinable
        func terminate<Value, Error: Swift.Error>(
            _ termination: Termination<Error>, to type: Sink<Value, Error>.Type
        ) {
            for slot in slots where !slot.isDisposed {
                unsafe unsafeBitCast(slot, to: ObserverSlot<Value, Error>.self).sink.onTermination(termination)
            }
            for slot in slots { slot.observation?.end() }
        }
    }

    /// A slot whose types aren't known.
    @usableFromInline typealias ErasedSlot = ObserverSlot<Void, Never>

    /// One observer. It has the same layout for all types.
    @frozen
    @usableFromInline
    struct ObserverSlot<Value, Error: Swift.Error> {
        @usableFromInline let id: UInt64
        @usableFromInline let sink: Sink<Value, Error>
        @usableFromInline let observation: ObserverMark?

        @inlinable
        init(id: UInt64, sink: __owned Sink<Value, Error>, observation: ObserverMark?) {
            self.id = id
            self.sink = sink
            self.observation = observation
        }

        @inlinable
        var isDisposed: Bool {
            guard let observation else { return false }
            // acquire: sees the writes made before the disposal.
            return observation.state.load(.acquire).isDisposed
        }
    }
#endif
