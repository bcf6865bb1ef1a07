/// Any number of disposables that are disposed of together, in the order in which they were added.
///
/// Adding to one that has been disposed of disposes of the newcomer at once, on the calling thread. A disposable that is taken
/// out leaves nothing behind. Deinitialising a composite doesn't dispose of its contents.
///
/// - Complexity: Adding is O(1), with one allocation; taking one out again is O(1), however many there are.
///
/// ## Concurrency
/// Any thread may call anything at any time. Threads that change the same composite at the same time take turns, for a few
/// writes to memory each. No disposable runs, and nothing is released, during such a turn.
public final class CompositeDisposable: Disposable, @unchecked Sendable {  // The list guards itself.
    /// In this object's memory, and reached by way of ``list`` alone.
    @safe private var storage = CompositeList.Storage()
    #if Exploration
        fileprivate let links = Explorer.Mark()
    #endif

    /// Makes an empty one.
    public init() {}

    /// Makes one of the given disposables; nil is passed over.
    public convenience init<Disposables: Sequence>(_ disposables: Disposables)
    where Disposables.Element == (any Disposable)? {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    /// Makes one of the given disposables.
    public convenience init<Disposables: Sequence>(_ disposables: Disposables)
    where Disposables.Element == any Disposable {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit {
        // Nothing is disposed of.
        list.close { _ in }
    }

    fileprivate var list: CompositeList { CompositeList(of: self) }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { list.isClosed }

    /// Disposes of everything that was added, in that order.
    public func dispose() { list.close { $0.disposeOfTaken() } }

    /// Adds a disposable.
    ///
    /// - Returns: A handle that takes the disposable out again, without disposing of it; nil if there was nothing to add
    ///   or this composite has been disposed of already, and `disposable` with it.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable else { return nil }
        let entry = CompositeEntry(disposable, in: self)
        return insert(entry) ? entry : nil
    }

    /// Adds a disposable that takes itself out when it is done.
    ///
    /// - Parameter handOver: Gets the handle before `disposable` is added: from then on, another thread may dispose of it.
    @usableFromInline
    func add(_ disposable: any Disposable, handOver: (any Disposable) -> Void) {
        let entry = CompositeEntry(disposable, in: self)
        handOver(entry)
        insert(entry)
    }

    /// Adds a closure to run.
    ///
    /// - Returns: A handle that takes the closure out again; nil if it ran at once.
    @discardableResult
    @preconcurrency
    public func add(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        add(AnyDisposable(action))
    }

    /// Adds a disposable. See `add(_:)`.
    @discardableResult
    public static func += (left: CompositeDisposable, right: (any Disposable)?) -> (any Disposable)? {
        left.add(right)
    }

    /// Adds a closure to run.
    @discardableResult
    @preconcurrency
    public static func += (
        left: CompositeDisposable, right: sending @escaping () -> Void
    ) -> (any Disposable)? {
        left.add(right)
    }

    /// Adds an entry, or disposes of its contents if this has been disposed of: then it is false.
    @discardableResult
    func insert(_ entry: CompositeEntry) -> Bool {
        if list.append(entry) { return true }
        entry.disposeOfContents()
        return false
    }
}

/// The entries of a composite, the oldest first.
///
/// They are linked both ways, so that one can be taken out wherever it is. Whoever holds the flag may change the links: for
/// a few writes at a time, with nothing allocated or released, and no code of users' run. Once the list is closed it belongs
/// to the thread that has closed it, and nobody else touches the links.
///
/// All of it lies in the memory of the composite. An entry may outlive its composite, and be taken out while that goes away: so
/// it has an unowned reference, which keeps the memory, though not the composite. There the list stays closed.
@safe private struct CompositeList: @unchecked Sendable {  // The flag guards the links.
    @safe struct Storage {
        var flag: UInt64 = 0
        /// Not 0: nothing is added or taken out any more.
        var closed: UInt64 = 0
        /// Guarded by the flag.
        @safe var oldest: Unmanaged<CompositeEntry>?
        @safe var newest: Unmanaged<CompositeEntry>?
    }

    private let storage: UnsafeMutablePointer<Storage>
    #if Exploration
        private let links: Explorer.Mark
    #endif

    init(of composite: CompositeDisposable) {
        #if Exploration
            links = composite.links
        #endif
        // The composite's first stored property, as `AtomicWord` finds it.
        unsafe storage = _getUnsafePointerToStoredProperties(composite).assumingMemoryBound(to: Storage.self)
    }

    private func word(_ offset: Int) -> AtomicWord {
        unsafe AtomicWord((UnsafeMutableRawPointer(storage) + offset).assumingMemoryBound(to: UInt64.self))
    }

    private var flag: OwnerFlag { OwnerFlag(word(0)) }

    private var closed: AtomicWord { word(8) }

    // acquire: whoever sees it also sees what was done before. Pairs with `close(_:)`.
    var isClosed: Bool { closed.load(.acquire) != 0 }

    /// Puts an entry behind the others, unless it is over; false if the list is closed.
    func append(_ entry: CompositeEntry) -> Bool {
        let added = unsafe Unmanaged.passRetained(entry)
        flag.acquire()
        willChangeLinks()
        // relaxed: it is written with the flag held.
        let isOpen = closed.load(.relaxed) == 0
        // It may have been disposed of already. The disposal takes it out after this turn, or has had its turn: then this
        // turn, which comes later, sees that it is over.
        let isAdded = isOpen && !entry.isDisposed
        if isAdded {
            entry.older = unsafe storage.pointee.newest
            if let newest = unsafe storage.pointee.newest {
                unsafe newest._withUnsafeGuaranteedRef { $0.newer = unsafe added }
            } else {
                unsafe storage.pointee.oldest = added
            }
            unsafe storage.pointee.newest = added
        }
        flag.release()
        if !isAdded { unsafe added.release() }
        return isOpen
    }

    /// Takes out an entry, if it is there. The caller holds it.
    func remove(_ entry: CompositeEntry) {
        if isClosed { return }
        let removed = unsafe Unmanaged.passUnretained(entry)
        flag.acquire()
        willChangeLinks()
        // relaxed: as in `append(_:)`.
        let isOldest = unsafe storage.pointee.oldest?.toOpaque() == removed.toOpaque()
        let isThere = unsafe closed.load(.relaxed) == 0 && (isOldest || entry.older != nil)
        if isThere { unlink(entry) }
        flag.release()
        if isThere { unsafe removed.release() }
    }

    private func willChangeLinks() {
        #if Exploration
            PlainAccess.write(links)
        #endif
    }

    private func unlink(_ entry: CompositeEntry) {
        let (older, newer) = (entry.older, entry.newer)
        if let older = unsafe older {
            unsafe older._withUnsafeGuaranteedRef { $0.newer = unsafe newer }
        } else {
            unsafe storage.pointee.oldest = newer
        }
        if let newer = unsafe newer {
            unsafe newer._withUnsafeGuaranteedRef { $0.older = unsafe older }
        } else {
            unsafe storage.pointee.newest = older
        }
        entry.older = nil
        entry.newer = nil
    }

    /// Takes all entries, for good, and then hands them to `body`, the oldest first. Does nothing if that was done before.
    func close(_ body: (CompositeEntry) -> Void) {
        if isClosed { return }
        flag.acquire()
        willChangeLinks()
        // relaxed: as in `append(_:)`.
        guard closed.load(.relaxed) == 0 else {
            flag.release()
            return
        }
        var rest = unsafe storage.pointee.oldest
        unsafe storage.pointee.oldest = nil
        unsafe storage.pointee.newest = nil
        // release: what this thread did before is seen by whoever finds it closed.
        closed.store(1, .release)
        flag.release()
        while let entry = unsafe rest?.takeRetainedValue() {
            unsafe rest = entry.newer
            body(entry)
        }
    }
}

/// A disposable in a composite, and the handle that takes it out.
///
/// Its word says who may touch the contents:
///
///     empty ── fill ──▶ holding ── dispose ──▶ over
///       └──────────── dispose ──────────────────▲
///
/// Whoever moves the word away from holding owns them. One that is over before it was filled takes nothing any more.
@safe class CompositeEntry: Disposable, @unchecked Sendable {  // The word settles who may touch the contents.
    private enum State {
        static var holding: UInt64 { 0 }
        static var over: UInt64 { 1 }
        static var empty: UInt64 { 2 }
    }

    private var stateStorage: UInt64

    /// As said above.
    private final var contents: (any Disposable)?

    /// The neighbours in the list. Guarded by its flag while it is open; then owned by the thread that has closed it.
    @safe @exclusivity(unchecked) fileprivate final var older: Unmanaged<CompositeEntry>?
    @safe @exclusivity(unchecked) fileprivate final var newer: Unmanaged<CompositeEntry>?

    private final let list: CompositeList

    /// Keeps the list's memory. Never read: the composite may be gone.
    private unowned final let composite: CompositeDisposable

    /// One that is filled later, if `contents` is nil. It is not added to the composite yet.
    init(_ contents: (any Disposable)?, in composite: CompositeDisposable) {
        stateStorage = contents == nil ? State.empty : State.holding
        self.contents = contents
        older = nil
        newer = nil
        list = composite.list
        self.composite = composite
    }

    private final var state: AtomicWord { AtomicWord(of: self) }

    /// Whether it has been taken out.
    // acquire: whoever sees it also sees what was done before. Pairs with `end()`.
    final var isDisposed: Bool { state.load(.acquire) == State.over }

    /// Takes the disposable out of its composite.
    func dispose() { _ = takeOut() }

    /// Takes the disposable out of its composite, and disposes of it.
    final func disposeOfContents() { takeOut()?.dispose() }

    /// Disposes of the disposable, unless somebody has taken it out. Called by whoever has taken the list.
    fileprivate final func disposeOfTaken() {
        if end() == State.holding { takeContents()?.dispose() }
    }

    /// Puts in what was not there yet when the entry was made. If it is over by now, `contents` is disposed of.
    final func fill(_ contents: (any Disposable)?) {
        PlainAccess.write(self)
        self.contents = contents
        // release: leaves the contents to whoever ends it. acquire: if that has been done, sees what led to it.
        if !state.compareExchange(State.empty, State.holding, .acquireRelease).won { takeContents()?.dispose() }
    }

    /// Ends it, and takes it out of the list. Returns what was in it, to the first who asks.
    private final func takeOut() -> (any Disposable)? {
        let before = end()
        if before == State.over { return nil }
        list.remove(self)
        return before == State.holding ? takeContents() : nil
    }

    /// Ends it, and returns what it was before.
    private final func end() -> UInt64 {
        // acquireRelease: what the winner goes on to take was written before, and is its own from here on.
        state.exchange(State.over, .acquireRelease)
    }

    private final func takeContents() -> (any Disposable)? {
        PlainAccess.write(self)
        return contents.take()
    }
}
