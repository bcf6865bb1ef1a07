#if !NaiveLocks
    /// The observers of a signal, in the order in which they were added. Owned by the owner of the signal's strand.
    ///
    /// The list doesn't change during a delivery: changes made by a callback are queued behind the current event. So the
    /// delivery loop walks over raw memory and calls each closure in place, without retaining it.
    @frozen
    @usableFromInline
    @safe struct ObserverList<Value, Error: Swift.Error> {
        @usableFromInline typealias Slot = ObserverSlot<Value, Error>

        @usableFromInline var slots: UnsafeMutablePointer<Slot>?
        @usableFromInline var count = 0
        @usableFromInline var capacity = 0

        /// How many slots have lost their observer but are still in the list.
        @usableFromInline var removed = 0
        @usableFromInline var lastID: UInt64 = 0

        @inlinable
        init() {
            unsafe slots = nil
        }

        /// Sends `value` to each observer, in order. Returns false if there is none.
        ///
        /// - Complexity: O(observers); no allocation, no reference counting, no atomic read-modify-write.
        @inlinable @inline(__always)
        func send(_ value: Value) -> Bool {
            guard var slot = unsafe slots else { return false }
            let end = unsafe slot + count
            if unsafe slot == end { return false }
            repeat {
                unsafe slot.pointee.send(value)
                unsafe slot += 1
            } while unsafe slot != end
            return true
        }

        /// Appends an observer. O(1) amortised.
        ///
        /// - Parameter place: Where the first slot lies, inside the signal: most signals have only one.
        @inlinable
        mutating func insert(
            _ sink: __owned Sink<Value, Error>, _ observation: ObserverPlace?, firstAt place: SlotPlace
        ) -> UInt64 {
            if count == capacity { grow(from: place) }
            lastID &+= 1
            unsafe (slots! + count).initialize(to: Slot(id: lastID, sink: sink, observation: observation))
            count += 1
            return lastID
        }

        /// Removes an observer and returns its slot. The caller releases it when no state change is in progress. O(1) for the
        /// newest, otherwise a binary search and O(1) amortised.
        @inlinable
        mutating func remove(_ id: UInt64) -> Slot? {
            guard let slots = unsafe slots, let index = unsafe index(of: id, in: slots) else { return nil }
            if index == count - 1 {
                count -= 1
                let slot = unsafe (slots + index).move()
                while count > 0, unsafe slots[count - 1].isRemoved {
                    count -= 1
                    removed -= 1
                    unsafe (slots + count).deinitialize(count: 1)
                }
                return slot
            }
            if unsafe slots[index].isRemoved { return nil }
            let slot = unsafe (slots + index).move()
            unsafe (slots + index).initialize(to: Slot(removed: id))
            removed += 1
            if removed > 16, removed > count / 2 { compact() }
            return slot
        }

        /// Empties the list and returns its contents.
        @inlinable
        mutating func takeAll() -> ObserverList {
            let all = self
            self = ObserverList()
            return all
        }

        /// Terminates each observer, in order, and releases them. For a list returned by `takeAll()`.
        @inlinable
        func terminate(_ termination: Termination<Error>) {
            guard let slots = unsafe slots else { return }
            for index in 0..<count { unsafe slots[index].terminate(termination) }
            release()
        }

        /// Releases every observer. For a list returned by `takeAll()`.
        @inlinable
        func release() {
            guard let slots = unsafe slots else { return }
            unsafe slots.deinitialize(count: count)
            if capacity > 1 { unsafe slots.deallocate() }
        }

        /// Drops the slots of removed observers.
        @inlinable
        mutating func shrink() {
            if count > 0 { compact() }
        }

        @inlinable
        func index(of id: UInt64, in slots: UnsafeMutablePointer<Slot>) -> Int? {
            if count > 0, unsafe slots[count - 1].id == id { return count - 1 }
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                if unsafe slots[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return unsafe low < count && slots[low].id == id ? low : nil
        }

        @inlinable
        mutating func grow(from place: SlotPlace) {
            if capacity == 0 {
                precondition(
                    MemoryLayout<Slot>.size <= SlotPlace.size,
                    "a slot has \(MemoryLayout<Slot>.size) bytes, but must have at most \(SlotPlace.size)")
                unsafe slots = place.address.assumingMemoryBound(to: Slot.self)
                capacity = 1
                return
            }
            let larger = capacity * 4
            // As raw bytes: a typed allocation asks for its alignment, which takes a slower path in the allocator.
            let bytes = MemoryLayout<Slot>.stride * larger
            let moved = unsafe UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
                .bindMemory(to: Slot.self, capacity: larger)
            if let slots = unsafe slots {
                unsafe moved.moveInitialize(from: slots, count: count)
                if capacity > 1 { unsafe slots.deallocate() }
            }
            unsafe slots = moved
            capacity = larger
        }

        @inlinable
        mutating func compact() {
            guard let slots = unsafe slots else { return }
            var kept = 0
            for index in 0..<count {
                if unsafe slots[index].isRemoved {
                    unsafe (slots + index).deinitialize(count: 1)
                } else {
                    if kept != index { unsafe (slots + kept).moveInitialize(from: slots + index, count: 1) }
                    kept += 1
                }
            }
            count = kept
            removed = 0
        }
    }

    /// Space for one slot in an object's own allocation. For all types, a slot is two closures, a reference and a few bits.
    @frozen
    @usableFromInline
    @safe struct SlotPlace {
        @usableFromInline typealias Storage = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

        @usableFromInline let address: UnsafeMutableRawPointer

        /// The place at `offset` in the stored properties of `object`.
        @inlinable @inline(__always)
        init(of object: AnyObject, at offset: Int) {
            unsafe address = _getUnsafePointerToStoredProperties(object) + offset
        }

        @inlinable
        static var size: Int { MemoryLayout<Storage>.size }

        @inlinable
        static var empty: Storage { (0, 0, 0, 0, 0, 0, 0) }
    }

    /// One observer: two closures, so no value is ever wrapped in an event.
    @frozen
    @usableFromInline
    @safe struct ObserverSlot<Value, Error: Swift.Error>: ~Copyable {
        @usableFromInline let id: UInt64
        @usableFromInline let onValue: (Value) -> Void
        @usableFromInline let onTermination: (Termination<Error>) -> Void

        /// What can be disposed of; nil for a derived signal, which shares the strand of its source, and for a slot whose
        /// observer was removed.
        @usableFromInline let observation: Unmanaged<AnyObject>?

        /// The observation's flag, reached without the object; nil if it can't be raised. A flag without an observation marks
        /// a slot whose observer was removed.
        @usableFromInline let flag: UnsafeMutablePointer<UInt64>?

        @inlinable
        init(id: UInt64, sink: Sink<Value, Error>, observation: ObserverPlace?) {
            self.id = id
            onValue = sink.onValue
            onTermination = sink.onTermination
            unsafe self.observation = observation.map { unsafe Unmanaged.passRetained($0.object) }
            unsafe flag = observation.map { unsafe $0.flag.word.address }
        }

        @inlinable
        init(removed id: UInt64) {
            self.id = id
            onValue = { _ in }
            onTermination = { _ in }
            unsafe observation = nil
            unsafe flag = RemovedSlot.flag
        }

        @inlinable
        deinit {
            unsafe observation?.release()
        }

        @inlinable
        var isRemoved: Bool { unsafe observation == nil && flag != nil }

        @inlinable @inline(__always)
        borrowing func send(_ value: Value) {
            if isDisposed { return }
            onValue(value)
        }

        @inlinable @inline(__always)
        borrowing func terminate(_ termination: Termination<Error>) {
            if isDisposed { return }
            onTermination(termination)
        }

        @inlinable
        var isDisposed: Bool {
            @inline(__always)
            borrowing get {
                guard let flag = unsafe flag else { return false }
                // acquire: as in `Observation.isDisposed`.
                return unsafe AtomicFlag(AtomicWord(flag)).isRaised(.acquire)
            }
        }
    }

    /// The flag of slots whose observer was removed: always raised.
    @usableFromInline
    enum RemovedSlot {
        @usableFromInline nonisolated(unsafe) static let flag = unsafe AtomicWord.allocated(1).address
    }
#endif
