#if !NaiveLocks
    /// A cell that any thread may read and replace at any time, without locks.
    ///
    /// The value lies in an immutable box. A writer must not release the box while a thread reads it. Therefore the word
    /// counts the readers (split reference counting, as in Anthony Williams, *C++ Concurrency in
    /// Action*, 2nd edition, section 7.2.4): see ``ReferenceWord``.
    ///
    /// A writer that replaces the box moves the reader count into the box. Each of these readers then signs off in the box.
    /// The last one releases it.
    ///
    /// An address may have too many bits: some systems return high addresses or tag the upper bits. Such an address lies in a
    /// ``LowWord``. The word then holds the address of the ``LowWord``, with its lowest bit set.
    @safe
    @usableFromInline
    final class AtomicReference<Value>: @unchecked Sendable {  // The word is atomic, boxes are immutable.
        let word: AtomicState<ReferenceWord>

        /// How many bits an address in the word may have. Tests lower it.
        private let addressBits: UInt64

        @usableFromInline
        convenience init(_ value: Value) { self.init(value, addressBits: 48) }

        init(_ value: Value, addressBits: UInt64) {
            self.addressBits = addressBits
            word = AtomicState(ReferenceWord(handle: Box(value).retained(within: addressBits)))
        }

        deinit {
            unsafe AtomicReference.box(at: word.load(.acquire).handle).release()
        }

        /// The current value. Wait-free except for other readers that sign off at the same moment.
        @usableFromInline
        func load() -> Value {
            let box = enter()
            let value = box.value
            signOff(from: box)
            return value
        }

        /// Replaces the value and returns the old one.
        @usableFromInline
        @discardableResult
        func exchange(_ value: Value) -> Value {
            // release: publishes the new box. acquire: sees the contents of the old one. Pairs with the exchange of another
            // thread, `enter()` and `update(_:)`.
            let next = ReferenceWord(handle: Box(value).retained(within: addressBits))
            let seen = word.exchange(next, .acquireRelease)
            let old = unsafe AtomicReference.box(at: seen.handle)._withUnsafeGuaranteedRef { $0.value }
            retire(seen)
            return old
        }

        /// Replaces the value with the result of `transform`, and returns the old one. `transform` runs again if another
        /// thread changes the value meanwhile. If it returns nil, the value stays.
        @usableFromInline
        @discardableResult
        func update(_ transform: (Value) -> Value?) -> Value {
            while true {
                let box = enter()
                let old = box.value
                guard let new = transform(old) else {
                    signOff(from: box)
                    return old
                }
                let handle = Box(new).retained(within: addressBits)
                // release, acquire: as in `exchange(_:)`.
                let update = word.update(.acquireRelease) { $0.replacing(box.handle, by: handle) }
                if update.new != nil {
                    retire(update.old)
                    signOff(from: box)
                    return old
                }
                unsafe AtomicReference.box(at: handle).release()
                signOff(from: box)
            }
        }

        /// The box. It stays alive for this thread until the thread signs off.
        private func enter() -> Box {
            // acquire: sees the contents of the box. Pairs with the releases that store it.
            let seen = word.fetchAdd(.oneReader, .acquire) { $0.entering() }.old
            let box = unsafe AtomicReference.box(at: seen.handle).takeUnretainedValue()
            PlainAccess.read(box)
            return box
        }

        private func signOff(from box: Box) {
            // release: this thread has read the box. Pairs with the acquire of the thread that replaces it.
            let update = word.update(.release) { $0.leaving(box.handle) }
            // If the box was replaced meanwhile, this reader is counted in the box.
            if update.new == nil { box.readersLeft(1) }
        }

        /// Moves the reader count of a replaced word into its box.
        private func retire(_ seen: ReferenceWord) {
            let box = unsafe AtomicReference.box(at: seen.handle).takeUnretainedValue()
            box.readersCame(seen.readers)
        }

        private static func box(at handle: UInt64) -> Unmanaged<Box> {
            let address = handle & 1 == 0 ? handle : LowWord(handle: handle).content
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else {
                preconditionFailure("the cell is empty")
            }
            return unsafe Unmanaged<Box>.fromOpaque(pointer)
        }

        private final class Box: @unchecked Sendable {  // Immutable except for an atomic word.
            /// The number of readers moved in, minus the readers that signed off here. Negative until the box is replaced.
            private let readers = AtomicWord()
            let value: Value

            init(_ value: Value) {
                self.value = value
            }

            /// What represents this box in a cell's word. Written before the box is published.
            @safe @exclusivity(unchecked)
            private(set) var handle: UInt64 = 0

            deinit { if handle & 1 != 0 { LowWord(handle: handle).giveBack() } }

            /// The handle for a cell. The cell holds one reference.
            func retained(within bits: UInt64) -> UInt64 {
                let address = unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
                handle = address >> bits == 0 ? address : LowWord.take(for: address).handle
                PlainAccess.write(self)
                return handle
            }

            func readersCame(_ count: UInt64) {
                // acquireRelease: the last reader sees that all others are done, and releases the box.
                if readers.fetchAdd(count, .acquireRelease) &+ count == 0 { releaseFromCell() }
            }

            func readersLeft(_ count: UInt64) {
                if readers.fetchSubtract(count, .acquireRelease) &- count == 0 { releaseFromCell() }
            }

            private func releaseFromCell() {
                PlainAccess.write(self)
                unsafe Unmanaged.passUnretained(self).release()
            }
        }
    }
#endif
