#if Exploration
    @testable import Corinth

    /// A store that has run on its thread.
    @safe struct DelayedStore {
        let value: UInt64
        let word: WordHistory
        let promises: Promises
        private let address: UnsafeMutablePointer<UInt64>
        private let isByte: Bool
        private let moment: Moment
        private let clock: VectorClock

        /// Whether the thread has executed a light barrier since.
        fileprivate var isOrdered = false

        init(
            value: UInt64, to word: WordHistory, at address: UnsafeMutablePointer<UInt64>, isByte: Bool,
            _ promises: Promises,
            _ moment: Moment, _ clock: VectorClock
        ) {
            self.value = value
            self.word = word
            unsafe self.address = address
            self.isByte = isByte
            self.promises = promises
            self.moment = moment
            self.clock = clock
        }

        fileprivate var place: UInt { unsafe UInt(bitPattern: address) }

        /// Makes the store visible to all threads: it is the newest one of its word.
        func show() {
            let bytes = unsafe UnsafeMutableRawPointer(address)
            if isByte {
                unsafe word.settle(UInt64(bytes.load(as: UInt8.self)))
                unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            } else {
                unsafe word.settle(address.pointee)
                unsafe address.pointee = value
            }
            word.store(value, promises, at: moment, clock)
        }
    }

    /// The stores of one thread that other threads don't see yet, at most one for each word.
    ///
    /// A store without a sequential order may become visible later than what its thread does next: its loads, and its relaxed
    /// or acquiring operations on other words. It is visible before the thread's next operation that releases, its next system
    /// call, the end of another thread's heavy barrier if the thread has executed a light barrier since, and the end of all
    /// threads.
    struct StoreBuffer {
        private var stores: [DelayedStore] = []

        var isEmpty: Bool { stores.isEmpty }

        /// What the thread itself reads; nil if it reads memory.
        func value(at place: UInt) -> UInt64? { stores.last { $0.place == place }?.value }

        mutating func add(_ store: DelayedStore) { stores.append(store) }

        /// A light barrier.
        mutating func order() {
            for index in stores.indices { stores[index].isOrdered = true }
        }

        /// Makes stores visible: all of them, or those before a light barrier. Returns how many.
        mutating func show(ordered: Bool = false) -> Int {
            if stores.isEmpty { return 0 }
            let shown = stores.filter { !ordered || $0.isOrdered }
            stores.removeAll { !ordered || $0.isOrdered }
            for store in shown { store.show() }
            return shown.count
        }

        /// Makes the store to a word visible.
        mutating func show(at place: UInt) -> DelayedStore? {
            guard let index = stores.firstIndex(where: { $0.place == place }) else { return nil }
            let store = stores.remove(at: index)
            store.show()
            return store
        }
    }

    extension Explorer.Operation {
        /// Whether the thread's stores are visible before this operation.
        func mustFollowStores(_ promises: Promises) -> Bool {
            switch self {
            case .load, .spin: false
            case .store, .update, .compareExchange: promises.releases
            case .wait, .wake, .heavyBarrier: true
            }
        }

        /// Whether the operation depends on the value of its word.
        var looks: Bool {
            switch self {
            case .load, .store, .update, .compareExchange, .wait: true
            case .wake, .spin, .heavyBarrier: false
            }
        }
    }
#endif
