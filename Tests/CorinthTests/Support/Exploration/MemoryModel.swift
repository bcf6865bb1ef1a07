#if Exploration
    @testable import Corinth
    import Foundation

    /// What C11 lets the threads of one execution observe.
    ///
    /// Executions are interleavings with two additions that an interleaving can't show and that the test machine's hardware may
    /// never do. A load may return an older value where no ordering forbids it. An access to plain memory is a data race if no
    /// release and acquire order it after the previous access.
    struct MemoryModel {
        private var words: [UInt: WordHistory] = [:]
        private var plains: [ObjectIdentifier: PlainHistory] = [:]
        private var watched: [Range<UInt>] = []

        /// How many heavy barriers there have been.
        private(set) var barriers = 0

        /// Lets loads of the words in `object` return older values. The object must outlive the execution: if its memory is
        /// reused, the older values belong to another object.
        mutating func watch(_ object: AnyObject) {
            watch(at: unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        }

        /// Does the same for memory that the allocator returned at an address.
        mutating func watch(at start: UInt) {
            watched.append(start..<start + Allocation.size(at: start))
        }

        /// Returns the history of a word, updated with the value that is in memory.
        ///
        /// - Parameter mask: The bits of the word that are meant, if it is a byte.
        mutating func word(at address: UnsafeMutablePointer<UInt64>, mask: UInt64) -> WordHistory {
            let current = unsafe UnsafeRawPointer(address).loadUnaligned(as: UInt64.self) & mask
            let place = UInt(bitPattern: address)
            if let known = words[place] {
                known.settle(current)
                return known
            }
            let new = WordHistory(
                name: "word \(words.count + 1)", value: current,
                isWatched: watched.contains { $0.contains(place) })
            words[place] = new
            return new
        }

        /// A heavy barrier: no later load sees a value older than the newest one now, except for a load that the compiler may
        /// have moved before the barrier.
        mutating func passBarrier() {
            barriers += 1
            for word in words.values { word.passBarrier(barriers) }
        }

        /// Records an access to plain memory. Returns the earlier access that it races with.
        mutating func access(
            _ object: ObjectIdentifier, isWrite: Bool, at moment: Moment, knowing clock: VectorClock
        ) -> PlainHistory.Conflict? {
            // The caller holds a reference to the object.
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: object)) else {
                return nil
            }
            let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            let history: PlainHistory
            if let known = plains[ObjectIdentifier(object)], known.object != nil {
                history = known
            } else {
                history = PlainHistory(object)
                plains[ObjectIdentifier(object)] = history
            }
            return history.access(isWrite: isWrite, at: moment, knowing: clock)
        }
    }

    /// What the allocator reports about an object.
    private enum Allocation {
        static func size(at address: UInt) -> UInt {
            // Looked up by name, because the header that declares it isn't part of the system's module.
            typealias SizeOf = @convention(c) (UnsafeRawPointer?) -> Int
            let names = ["malloc_usable_size", "malloc_size"]
            for name in names {
                guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { continue }
                let sizeOf = unsafe unsafeBitCast(symbol, to: SizeOf.self)
                return unsafe UInt(sizeOf(UnsafeRawPointer(bitPattern: address)))
            }
            preconditionFailure("none of the functions \(names) is available to report the size of an allocation")
        }
    }

    /// The values that one atomic word has had, and which threads know of each.
    final class WordHistory {
        private struct Write {
            var value: UInt64?
            let moment: Moment?
            let released: VectorClock
            var isSequential = false
        }

        let name: String
        let isWatched: Bool
        private var writes: [Write]
        private var sightings: [(moment: Moment, index: Int)] = []

        /// The newest write at each heavy barrier.
        private var barriers: [(number: Int, index: Int)] = []

        init(name: String, value: UInt64, isWatched: Bool) {
            self.name = name
            self.isWatched = isWatched
            writes = [Write(value: value, moment: nil, released: VectorClock())]
        }

        /// Adds the newest write if the history doesn't have it.
        func settle(_ current: UInt64) {
            let newest = writes.count - 1
            switch writes[newest].value {
            case nil: writes[newest].value = current
            case current: break
            default:
                // No controlled thread wrote this value: the memory was freed and now belongs to another object.
                writes = [Write(value: current, moment: nil, released: VectorClock())]
                sightings = []
                barriers = []
            }
        }

        func passBarrier(_ number: Int) { barriers.append((number, writes.count - 1)) }

        var current: UInt64 { writes.last?.value ?? 0 }

        /// How many values a load may return, counted from the newest.
        ///
        /// - Parameter barriers: How many heavy barriers the load comes after.
        func visibleCount(knowing clock: VectorClock, isSequential: Bool, after barriers: Int) -> Int {
            var oldest = writes.lastIndex { write in write.moment.map(clock.knows) ?? true } ?? 0
            for sighting in sightings where clock.knows(sighting.moment) {
                oldest = max(oldest, sighting.index)
            }
            if let barrier = self.barriers.last(where: { $0.number <= barriers }) {
                oldest = max(oldest, barrier.index)
            }
            if isSequential { oldest = max(oldest, writes.lastIndex(where: \.isSequential) ?? 0) }
            return writes.count - oldest
        }

        /// The ages, in writes, of the values that a compare-exchange may see when it fails without a concurrent write. These
        /// are values other than the expected one.
        func older(
            than expected: UInt64, knowing clock: VectorClock, _ promises: Promises, after barriers: Int
        ) -> [Int] {
            (0..<visibleCount(knowing: clock, isSequential: promises.isSequential, after: barriers)).dropFirst()
                .filter { writes[writes.count - 1 - $0].value != expected }
        }

        /// Loads the value that is `age` writes old.
        func load(age: Int, _ promises: Promises, at moment: Moment, _ clock: inout VectorClock) -> UInt64 {
            let index = writes.count - 1 - age
            if promises.acquires { clock.join(writes[index].released) }
            sightings.append((moment, index))
            return writes[index].value ?? 0
        }

        /// Stores a value. Other threads learn of it later.
        func store(_ value: UInt64, _ promises: Promises, at moment: Moment, _ clock: VectorClock) {
            writes.append(
                Write(
                    value: value, moment: moment, released: promises.releases ? clock : VectorClock(),
                    isSequential: promises.isSequential))
        }

        /// Reads the newest value and replaces it. This continues a release sequence.
        func update(_ promises: Promises, at moment: Moment, _ clock: inout VectorClock) {
            var released = writes[writes.count - 1].released
            if promises.acquires { clock.join(released) }
            if promises.releases { released.join(clock) }
            writes.append(Write(moment: moment, released: released, isSequential: promises.isSequential))
        }
    }

    /// The latest accesses to a plain object.
    final class PlainHistory {
        enum Conflict {
            case write(Moment)
            case read(Moment)
        }

        private(set) weak var object: AnyObject?
        private var write: Moment?
        private var reads: [Moment] = []

        init(_ object: AnyObject) {
            self.object = object
        }

        func access(isWrite: Bool, at moment: Moment, knowing clock: VectorClock) -> Conflict? {
            if let write, !clock.knows(write) { return .write(write) }
            if !isWrite {
                reads.append(moment)
                return nil
            }
            if let read = reads.first(where: { !clock.knows($0) }) { return .read(read) }
            write = moment
            reads = []
            return nil
        }
    }
#endif
