#if !NaiveLocks
    /// A cell that any thread may read and replace at any time: nobody ever waits for anybody.
    ///
    /// The value lies in a box that never changes. A reader has to get hold of the box before a writer lets go of it, so the
    /// word counts the readers that are about to (split reference counting, as in Anthony Williams, *C++ Concurrency in
    /// Action*, 2nd edition, section 7.2.4):
    ///
    ///      63 ………… 48   47 ………… 0
    ///     |  readers   |   box   |
    ///
    /// A writer that replaces the box takes their number over into the box, where each of them then signs off. The last to
    /// sign off releases it.
    ///
    /// An address that doesn't fit, because the system gives out higher ones or marks them with a tag in their upper bits, lies
    /// in a ``LowWord``, whose address stands in the word instead, with its lowest bit set.
    @safe
    @usableFromInline
    final class AtomicReference<Value>: @unchecked Sendable {  // Access to the word is atomic, the boxes are immutable.
        private var wordStorage: UInt64

        /// How many bits an address may have that stands in the word: all that there is room for, but in tests.
        private let addressBits: UInt64

        @usableFromInline
        convenience init(_ value: Value) { self.init(value, addressBits: 48) }

        init(_ value: Value, addressBits: UInt64) {
            self.addressBits = addressBits
            wordStorage = Box(value).retained(within: addressBits)
        }

        deinit {
            unsafe AtomicReference.box(in: word.load(.acquire)).release()
        }

        private var word: AtomicWord { AtomicWord(of: self) }

        private static var oneReader: UInt64 { 1 << 48 }
        private static var handleMask: UInt64 { oneReader - 1 }

        /// How many threads may be reading at the same moment.
        private static var mostReaders: UInt64 { (1 << 16) - 1 }

        /// The value as it is now. Wait-free but for other readers that leave at the same moment.
        @usableFromInline
        func load() -> Value {
            let box = enter()
            let value = box.value
            signOff(from: box)
            return value
        }

        /// Replaces the value and returns the one that was there.
        @usableFromInline
        @discardableResult
        func exchange(_ value: Value) -> Value {
            // release: publishes the new box. acquire: sees what is in the old one. Pairs with the other of the two, and
            // with `enter()` and `update(_:)`.
            let seen = word.exchange(Box(value).retained(within: addressBits), .acquireRelease)
            let old = unsafe AtomicReference.box(in: seen)._withUnsafeGuaranteedRef { $0.value }
            retire(seen)
            return old
        }

        /// Replaces the value by what `transform` makes of it, and returns the value that was there. `transform` runs again
        /// when another thread was faster; nil leaves the value as it is.
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
                var seen = word.load(.relaxed)
                while seen & AtomicReference.handleMask == box.handle {
                    // release, acquire: as in `exchange(_:)`.
                    let result = word.compareExchange(seen, handle, .acquireRelease)
                    if result.won {
                        retire(seen)
                        signOff(from: box)
                        return old
                    }
                    seen = result.seen
                }
                unsafe AtomicReference.box(in: handle).release()
                signOff(from: box)
            }
        }

        /// The box, which stays for this thread until it signs off.
        private func enter() -> Box {
            // acquire: sees what is in the box. Pairs with the releases of those who put it there.
            let seen = word.fetchAdd(AtomicReference.oneReader, .acquire)
            precondition(
                seen >> 48 < AtomicReference.mostReaders,
                "\(AtomicReference.mostReaders) threads read a value at the same moment, and one more comes")
            let box = unsafe AtomicReference.box(in: seen).takeUnretainedValue()
            PlainAccess.read(box)
            return box
        }

        private func signOff(from box: Box) {
            var seen = word.load(.relaxed)
            while seen & AtomicReference.handleMask == box.handle {
                // release: this thread has read the box. Pairs with the acquire of whoever replaces it.
                let result = word.compareExchange(seen, seen &- AtomicReference.oneReader, .release)
                if result.won { return }
                seen = result.seen
            }
            // It was replaced meanwhile, and this thread counted in the box.
            box.readersLeft(1)
        }

        /// Takes the readers of a word that was replaced over into its box.
        private func retire(_ seen: UInt64) {
            let box = unsafe AtomicReference.box(in: seen).takeUnretainedValue()
            box.readersCame(seen >> 48)
        }

        private static func box(in word: UInt64) -> Unmanaged<Box> {
            let handle = word & handleMask
            let address = handle & 1 == 0 ? handle : LowWord(handle: handle).content
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else {
                preconditionFailure("the cell is empty")
            }
            return unsafe Unmanaged<Box>.fromOpaque(pointer)
        }

        private final class Box: @unchecked Sendable {  // Immutable, but for an atomic word.
            /// The readers that came, less those that signed off here. Goes below zero before the box is replaced.
            private var readersStorage: UInt64 = 0
            let value: Value

            init(_ value: Value) {
                self.value = value
            }

            private var readers: AtomicWord { AtomicWord(of: self) }

            /// What stands for this in a cell's word. Written before others know of it.
            @safe @exclusivity(unchecked)
            private(set) var handle: UInt64 = 0

            deinit { if handle & 1 != 0 { LowWord(handle: handle).giveBack() } }

            /// The handle, for a cell, which has a reference of its own.
            func retained(within bits: UInt64) -> UInt64 {
                let address = unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
                handle = address >> bits == 0 ? address : LowWord.take(for: address).handle
                PlainAccess.write(self)
                return handle
            }

            func readersCame(_ count: UInt64) {
                // acquireRelease: whoever comes last sees that all the others are done, and releases the box.
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
