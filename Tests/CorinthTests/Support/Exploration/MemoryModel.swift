#if Exploration
    @testable import Corinth
    import Foundation

    /// What C11 lets the threads of one execution see.
    ///
    /// Executions are interleavings, with two things on top that an interleaving can't show, and the hardware at hand may
    /// not do: a load may return an older value, where no order forbids it, and an access to plain memory that no
    /// release and acquire put after the one before it is a data race.
    struct MemoryModel {
        private var words: [UInt: WordHistory] = [:]
        private var plains: [ObjectIdentifier: PlainHistory] = [:]
        private var watched: [Range<UInt>] = []

        /// Lets loads of the words in `object` return older values. The object must outlive the execution: where memory
        /// is used again, older values are another object's.
        mutating func watch(_ object: AnyObject) {
            watch(at: unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        }

        /// The same for memory that the allocator has given out at an address.
        mutating func watch(at start: UInt) {
            watched.append(start..<start + Allocation.size(at: start))
        }

        /// The history of a word, brought up to date with what is in memory.
        mutating func word(at address: UnsafeMutablePointer<UInt64>) -> WordHistory {
            let current = unsafe address.pointee
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

        /// Accesses plain memory. Returns the access that this one races with.
        mutating func access(
            _ object: ObjectIdentifier, isWrite: Bool, at moment: Moment, knowing clock: VectorClock
        ) -> PlainHistory.Conflict? {
            // The caller holds the object.
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

    /// What the allocator knows of an object.
    private enum Allocation {
        static func size(at address: UInt) -> UInt {
            // By name: the header that declares it is not part of the system's module.
            typealias SizeOf = @convention(c) (UnsafeRawPointer?) -> Int
            let names = ["malloc_usable_size", "malloc_size"]
            for name in names {
                guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else { continue }
                let sizeOf = unsafe unsafeBitCast(symbol, to: SizeOf.self)
                return unsafe UInt(sizeOf(UnsafeRawPointer(bitPattern: address)))
            }
            preconditionFailure("no function of \(names) tells the size of an allocation")
        }
    }

    /// The values that one atomic word has had, and who knows of which.
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

        init(name: String, value: UInt64, isWatched: Bool) {
            self.name = name
            self.isWatched = isWatched
            writes = [Write(value: value, moment: nil, released: VectorClock())]
        }

        /// Learns what the newest write left behind.
        func settle(_ current: UInt64) {
            let newest = writes.count - 1
            switch writes[newest].value {
            case nil: writes[newest].value = current
            case current: break
            default:
                // Written by nobody under control: the memory was freed, and is another object's now.
                writes = [Write(value: current, moment: nil, released: VectorClock())]
                sightings = []
            }
        }

        var current: UInt64 { writes.last?.value ?? 0 }

        /// How many values a load may return, the newest first.
        func visibleCount(knowing clock: VectorClock, isSequential: Bool) -> Int {
            var oldest = writes.lastIndex { write in write.moment.map(clock.knows) ?? true } ?? 0
            for sighting in sightings where clock.knows(sighting.moment) {
                oldest = max(oldest, sighting.index)
            }
            if isSequential { oldest = max(oldest, writes.lastIndex(where: \.isSequential) ?? 0) }
            return writes.count - oldest
        }

        /// How old, in writes, what a compare-exchange may see that fails though nobody has come between: other values than
        /// the expected one.
        func older(than expected: UInt64, knowing clock: VectorClock, _ promises: Promises) -> [Int] {
            (0..<visibleCount(knowing: clock, isSequential: promises.isSequential)).dropFirst()
                .filter { writes[writes.count - 1 - $0].value != expected }
        }

        /// Loads the value that is `age` writes old.
        func load(age: Int, _ promises: Promises, at moment: Moment, _ clock: inout VectorClock) -> UInt64 {
            let index = writes.count - 1 - age
            if promises.acquires { clock.join(writes[index].released) }
            sightings.append((moment, index))
            return writes[index].value ?? 0
        }

        /// Stores a value, to be learnt of later.
        func store(_ promises: Promises, at moment: Moment, _ clock: VectorClock) {
            writes.append(
                Write(
                    moment: moment, released: promises.releases ? clock : VectorClock(),
                    isSequential: promises.isSequential))
        }

        /// Reads the newest value and replaces it, which goes on with a release sequence.
        func update(_ promises: Promises, at moment: Moment, _ clock: inout VectorClock) {
            var released = writes[writes.count - 1].released
            if promises.acquires { clock.join(released) }
            if promises.releases { released.join(clock) }
            writes.append(Write(moment: moment, released: released, isSequential: promises.isSequential))
        }
    }

    /// Who accessed a plain object last.
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
