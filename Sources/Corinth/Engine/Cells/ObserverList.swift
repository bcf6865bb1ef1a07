#if !NaiveLocks
    /// The observers of a signal, in the order in which they were added. Owned by the owner of the signal's strand.
    ///
    /// The list doesn't change during a delivery: changes made by a callback are queued behind the current event. So the
    /// delivery walks over raw memory and calls each closure in place, without retaining it.
    ///
    /// An observer is two closures and a reference, whatever the types of the signal. So only insertion and delivery know
    /// these types. Everything else moves and releases the slots as ``ErasedSlot``.
    @frozen
    @usableFromInline
    @safe struct ObserverList {
        /// The memory of the list, inside the signal's state.
        @frozen
        @usableFromInline
        @safe struct Storage {
            /// The only observer: most signals have one. Its identifier is 1. If that word is 0, there is no observer.
            /// Otherwise it is the address of the block with all observers: the list has had more than one.
            @usableFromInline var first: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

            @inlinable
            init() {}
        }

        @usableFromInline let storage: UnsafeMutablePointer<Storage>

        @inlinable @inline(__always)
        init(_ storage: UnsafeMutablePointer<Storage>) { unsafe self.storage = storage }

        /// The storage at `offset` in the stored properties of `object`.
        @inlinable @inline(__always)
        init(of object: AnyObject, at offset: Int) {
            let properties = unsafe _getUnsafePointerToStoredProperties(object)
            unsafe storage = (properties + offset).assumingMemoryBound(to: Storage.self)
        }

        /// What a delivery walks over: the list itself.
        @inlinable @inline(__always)
        var snapshot: ObserverList { self }

        @inlinable @inline(__always)
        var block: UnsafeMutablePointer<ObserverBlock>? {
            get {
                let word = unsafe storage.pointee.first.0
                return unsafe word == 1 ? nil : UnsafeMutablePointer(bitPattern: UInt(word))
            }
            nonmutating set { unsafe storage.pointee.first.0 = UInt64(UInt(bitPattern: newValue)) }
        }

        /// The memory of the first slot.
        @inlinable @inline(__always)
        var first: UnsafeMutablePointer<ErasedSlot> {
            unsafe UnsafeMutableRawPointer(storage).assumingMemoryBound(to: ErasedSlot.self)
        }

        @inlinable @inline(__always)
        var hasFirst: Bool { unsafe storage.pointee.first.0 == 1 }

        // MARK: Delivery

        /// Sends `value` to each observer, in order. Returns false if there is none.
        ///
        /// - Complexity: O(observers); no allocation, no reference counting, no atomic read-modify-write.
        @inlinable @inline(__always)
        func send<Value, Error: Swift.Error>(_ value: Value, to type: Sink<Value, Error>.Type) -> Bool {
            if hasFirst {
                unsafe ObserverSlot<Value, Error>.at(first).pointee.send(value)
                return true
            }
            guard let block = unsafe block else { return false }
            let end = unsafe block.pointee.slots + block.pointee.count
            var slot = unsafe block.pointee.slots
            while unsafe slot != end {
                unsafe ObserverSlot<Value, Error>.at(slot).pointee.send(value)
                unsafe slot += 1
            }
            return true
        }

        /// Terminates each observer, in order.
        @inlinable
        func terminate<Value, Error: Swift.Error>(
            _ termination: Termination<Error>, to type: Sink<Value, Error>.Type
        ) {
            guard let block = unsafe block else {
                if hasFirst { unsafe ObserverSlot<Value, Error>.at(first).pointee.terminate(termination) }
                return
            }
            for index in unsafe 0..<block.pointee.count {
                unsafe ObserverSlot<Value, Error>.at(block.pointee.slots + index).pointee.terminate(termination)
            }
        }

        // MARK: Changes

        /// Appends an observer and returns its identifier. Identifiers ascend. O(1) amortised.
        ///
        /// - Parameter observation: What the observer can be disposed of by, retained for the list; nil for a derived signal.
        @inlinable
        func insert<Value, Error: Swift.Error>(
            _ sink: __owned Sink<Value, Error>, _ observation: Unmanaged<ObserverMark>?
        ) -> UInt64 {
            let (place, id) = unsafe makePlace()
            unsafe ObserverSlot<Value, Error>.at(place).initialize(
                to: ObserverSlot(id: id, sink: sink, observation: observation))
            return id
        }

        /// An uninitialised slot behind the last one, and its identifier.
        @usableFromInline
        func makePlace() -> (UnsafeMutablePointer<ErasedSlot>, UInt64) {
            guard let block = unsafe block else {
                if !hasFirst { return unsafe (first, 1) }
                let made = unsafe ObserverBlock.make(capacity: 4)
                unsafe made.pointee.slots.moveInitialize(from: first, count: 1)
                unsafe made.pointee.count = 1
                unsafe self.block = made
                return unsafe made.pointee.makePlace()
            }
            if unsafe block.pointee.count == block.pointee.capacity {
                unsafe self.block = ObserverBlock.enlarged(block)
            }
            return unsafe self.block.unsafelyUnwrapped.pointee.makePlace()
        }

        /// Removes an observer and returns its slot. The caller releases it when no state change is in progress. O(1) for the
        /// newest, otherwise a binary search and O(1) amortised.
        func remove(_ id: UInt64) -> ErasedSlot? {
            guard let block = unsafe block else {
                guard hasFirst, unsafe first.pointee.id == id else { return nil }
                let slot = unsafe first.move()
                unsafe storage.pointee.first.0 = 0
                return slot
            }
            guard let slot = unsafe block.pointee.remove(id) else { return nil }
            if unsafe block.pointee.count == block.pointee.removed {
                unsafe ObserverBlock.free(block)
                unsafe self.block = nil
            }
            return slot
        }

        /// Moves an observer behind all others.
        ///
        /// - Returns: Its identifier from now on; 0 if it isn't in the list.
        func moveToEnd(_ id: UInt64) -> UInt64 {
            guard let block = unsafe block, unsafe block.pointee.lastID != id else { return id }
            guard var slot = unsafe block.pointee.remove(id) else { return 0 }
            let (place, next) = unsafe makePlace()
            slot.id = next
            unsafe place.initialize(to: slot)
            return next
        }

        /// Whether there is no observer.
        @inlinable
        var isEmpty: Bool {
            @inline(__always)
            get { unsafe storage.pointee.first.0 == 0 }
        }

        /// Empties the list and returns its contents.
        @usableFromInline
        func takeAll() -> TakenObservers {
            let taken = unsafe TakenObservers(storage.pointee)
            unsafe storage.initialize(to: Storage())
            return taken
        }

        /// Releases every observer.
        func release() {
            if let block = unsafe block {
                unsafe ObserverBlock.free(block)
            } else if hasFirst {
                unsafe first.deinitialize(count: 1)
            }
        }
    }

    /// The observers of a signal that has ended.
    @frozen
    @usableFromInline
    @safe struct TakenObservers: ~Copyable {
        @usableFromInline var storage: ObserverList.Storage

        init(_ storage: ObserverList.Storage) { self.storage = storage }

        @usableFromInline
        deinit {
            var storage = storage
            unsafe withUnsafeMutablePointer(to: &storage) { unsafe ObserverList($0).release() }
        }

        /// Terminates each observer, in order, and releases them.
        @inlinable
        consuming func terminate<Value, Error: Swift.Error>(
            _ termination: Termination<Error>, to type: Sink<Value, Error>.Type
        ) {
            unsafe withUnsafeMutablePointer(to: &storage) {
                unsafe ObserverList($0).terminate(termination, to: type)
            }
        }
    }

    /// The slots of a list that has had more than one observer, in one allocation behind this.
    @frozen
    @usableFromInline
    @safe struct ObserverBlock {
        @usableFromInline var count = 0
        @usableFromInline var capacity: Int

        /// How many slots have lost their observer but are still in the list.
        @usableFromInline var removed = 0

        @usableFromInline let slots: UnsafeMutablePointer<ErasedSlot>

        private init(_ slots: UnsafeMutablePointer<ErasedSlot>, capacity: Int) {
            unsafe self.slots = slots
            self.capacity = capacity
        }

        static func make(capacity: Int) -> UnsafeMutablePointer<ObserverBlock> {
            let header = MemoryLayout<ObserverBlock>.stride
            let bytes = UnsafeMutableRawPointer.allocate(
                byteCount: header + capacity * MemoryLayout<ErasedSlot>.stride, alignment: 8)
            let slots = unsafe (bytes + header).bindMemory(to: ErasedSlot.self, capacity: capacity)
            return unsafe bytes.initializeMemory(
                as: ObserverBlock.self, to: ObserverBlock(slots, capacity: capacity))
        }

        /// A larger block with the same contents.
        static func enlarged(_ block: UnsafeMutablePointer<ObserverBlock>) -> UnsafeMutablePointer<ObserverBlock> {
            let made = unsafe make(capacity: block.pointee.capacity * 4)
            unsafe made.pointee.slots.moveInitialize(from: block.pointee.slots, count: block.pointee.count)
            unsafe made.pointee.count = block.pointee.count
            unsafe made.pointee.removed = block.pointee.removed
            unsafe UnsafeMutableRawPointer(block).deallocate()
            return unsafe made
        }

        /// Releases the observers and the memory.
        static func free(_ block: UnsafeMutablePointer<ObserverBlock>) {
            unsafe block.pointee.slots.deinitialize(count: block.pointee.count)
            unsafe UnsafeMutableRawPointer(block).deallocate()
        }

        var lastID: UInt64 { unsafe slots[count - 1].id }

        /// An uninitialised slot behind the last one. There is space for it.
        mutating func makePlace() -> (UnsafeMutablePointer<ErasedSlot>, UInt64) {
            count += 1
            return unsafe (slots + (count - 1), count == 1 ? 1 : slots[count - 2].id &+ 1)
        }

        mutating func remove(_ id: UInt64) -> ErasedSlot? {
            guard let index = index(of: id) else { return nil }
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
            unsafe (slots + index).initialize(to: ErasedSlot(removed: id))
            removed += 1
            if removed > 16, removed > count / 2 { compact() }
            return slot
        }

        private func index(of id: UInt64) -> Int? {
            if count > 0, unsafe slots[count - 1].id == id { return count - 1 }
            var low = 0
            var high = count
            while low < high {
                let middle = (low + high) / 2
                if unsafe slots[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return unsafe low < count && slots[low].id == id ? low : nil
        }

        /// Drops the slots of removed observers.
        private mutating func compact() {
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

    /// One observer as words, whose types aren't known. It can be moved and released, not called. See ``ObserverSlot``.
    @frozen
    @usableFromInline
    @safe struct ErasedSlot: ~Copyable {
        @usableFromInline var id: UInt64
        @usableFromInline let onValue: ClosureWords
        @usableFromInline let onTermination: ClosureWords
        @usableFromInline let observation: Unmanaged<ObserverMark>?

        /// A slot whose observer was removed.
        init(removed id: UInt64) {
            self.id = id
            onValue = ClosureWords()
            onTermination = ClosureWords()
            unsafe observation = .passRetained(ObserverMark.removed)
        }

        @usableFromInline
        deinit {
            ClosureWords.release(onValue, onTermination)
            if let observation = unsafe observation { unsafe ErasedSlot.end(observation) }
        }

        /// Not inlined: most slots are those of derived signals, and have none.
        @usableFromInline
        @inline(never)
        static func end(_ observation: Unmanaged<ObserverMark>) {
            unsafe observation._withUnsafeGuaranteedRef { $0.end() }
            unsafe observation.release()
        }

        var isRemoved: Bool {
            unsafe observation?.toOpaque() == Unmanaged.passUnretained(ObserverMark.removed).toOpaque()
        }
    }

    /// One observer: two closures, so no value is ever wrapped in an event. In memory, it is an ``ErasedSlot``, which releases
    /// it.
    @frozen
    @usableFromInline
    @safe struct ObserverSlot<Value, Error: Swift.Error>: ~Copyable {
        @usableFromInline let id: UInt64
        @usableFromInline let onValue: (Value) -> Void
        @usableFromInline let onTermination: (Termination<Error>) -> Void

        /// What the observer can be disposed of by; nil for a derived signal, which shares the strand of its source.
        @usableFromInline let observation: Unmanaged<ObserverMark>?

        @inlinable
        init(id: UInt64, sink: __owned Sink<Value, Error>, observation: Unmanaged<ObserverMark>?) {
            self.id = id
            onValue = sink.onValue
            onTermination = sink.onTermination
            unsafe self.observation = unsafe observation
        }

        /// The same memory with the types of the signal.
        @inlinable @inline(__always)
        static func at(_ slot: UnsafeMutablePointer<ErasedSlot>) -> UnsafeMutablePointer<ObserverSlot> {
            unsafe UnsafeMutableRawPointer(slot).assumingMemoryBound(to: ObserverSlot.self)
        }

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
                guard let observation = unsafe observation else { return false }
                // acquire: sees the writes made before the disposal.
                return unsafe observation._withUnsafeGuaranteedRef { $0.state.load(.acquire).isDisposed }
            }
        }
    }
#endif
