/// A collection of disposables that are disposed of together, in the order of addition.
///
/// If the composite has already been disposed of, an added disposable is disposed of at once, on the calling thread. A
/// removed disposable leaves nothing behind. Deinitialising a composite doesn't dispose of its contents.
///
/// What has ended doesn't stay, so that a composite may live long: whenever the number of disposables has doubled, and is at least
/// 32, `add` removes those whose ``Disposable/isDisposed`` is true, the observations of signals that have ended, and the starts that
/// have ended. Their handles are then disposed of. Closures stay until they are removed.
///
/// - Complexity: Adding is O(1) amortised, with one allocation of 64 bytes. Removing is O(1) in the number of disposables.
///
/// ## Concurrency
/// All members are thread-safe. Threads that change the same composite at the same time exclude one another for a few memory
/// writes. No disposable runs and nothing is released meanwhile. `add` may read `isDisposed` of other disposables, and release
/// those that have ended, on its own thread.
public final class CompositeDisposable: Disposable, @unchecked Sendable {  // The list guards itself.
    /// Stored in this object, and accessed only through ``list``.
    @safe private var storage = CompositeList.Storage()
    #if Exploration
        fileprivate let links = Explorer.Mark()
    #endif

    /// Creates an empty composite.
    public init() {}

    /// Creates a composite of the given disposables, skipping nil.
    public convenience init<Disposables: Sequence>(_ disposables: Disposables)
    where Disposables.Element == (any Disposable)? {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    /// Creates a composite of the given disposables.
    public convenience init<Disposables: Sequence>(_ disposables: Disposables)
    where Disposables.Element == any Disposable {
        self.init()
        for disposable in disposables { add(disposable) }
    }

    deinit {
        // The contents aren't disposed of.
        list.close { _ in }
    }

    fileprivate var list: CompositeList { CompositeList(of: self) }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { list.isClosed }

    /// Disposes of everything that was added, in the order of addition.
    public func dispose() { list.close { $0.disposeOfTaken() } }

    /// Adds a disposable.
    ///
    /// - Returns: A handle that removes the disposable without disposing of it. Nil if `disposable` is nil, or if this
    ///   composite had already been disposed of: then `disposable` is disposed of too.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable else { return nil }
        let entry = DisposableEntry(disposable, in: self)
        return insert(entry) ? entry : nil
    }

    /// Adds a disposable that removes itself when it is done.
    ///
    /// - Parameter handOver: Receives the handle before `disposable` is added: from then on, another thread may dispose of
    ///   it.
    @usableFromInline
    func add(_ disposable: any Disposable, handOver: (__owned CompositeEntry) -> Void) {
        let entry = DisposableEntry(disposable, in: self)
        handOver(entry)
        insert(entry)
    }

    /// Adds a closure to run at disposal.
    ///
    /// - Returns: A handle that removes the closure; nil if it ran at once.
    @discardableResult
    public func add(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        let entry = ActionEntry(action, in: self)
        return insert(entry) ? entry : nil
    }

    /// Adds a disposable. See `add(_:)`.
    @discardableResult
    public static func += (left: CompositeDisposable, right: (any Disposable)?) -> (any Disposable)? {
        left.add(right)
    }

    /// Adds a closure to run at disposal.
    @discardableResult
    public static func += (
        left: CompositeDisposable, right: sending @escaping () -> Void
    ) -> (any Disposable)? {
        left.add(right)
    }

    /// Keeps an object alive until this is disposed of, or ``releaseKept()`` is called. Called once. Does nothing if this has been
    /// disposed of.
    ///
    /// - Returns: Whether it keeps the object.
    func keep(_ object: AnyObject) -> Bool { list.keep(object) }

    /// Releases the object that this keeps. Called on any thread.
    func releaseKept() { list.releaseKept() }

    /// Adds an entry that no other thread knows. If this has been disposed of, disposes of the entry's contents and returns
    /// false.
    @discardableResult
    func insert(_ entry: CompositeEntry) -> Bool {
        let retained = unsafe Unmanaged.passRetained(entry)
        switch unsafe list.append(entry, retained) {
        case .added: return true
        case .dueForSweep:
            sweep()
            return true
        case .closed:
            unsafe retained.takeRetainedValue().disposeOfContents()
            return false
        }
    }

    /// The disposables in it, for ``Inspector``. Those that are being added or removed may be missing.
    var contents: [any Disposable] { list.contents }

    /// Removes what has ended. Called by one thread at a time.
    ///
    /// A marker passes each entry once, in steps between which the list may change: whether a disposable has ended is asked while
    /// nothing is held.
    @inline(never)
    private func sweep() {
        let marker = SweepMarker(in: self)
        var rest = list.beginSweep(marker)
        while rest > 0, let step = list.pass(marker) {
            if let contents = step.contents, contents.isOver { step.entry.dispose() }
            rest -= 1
        }
        list.endSweep(marker)
    }
}

/// The entries of a composite, oldest first.
///
/// They form a doubly linked list, so any entry can be removed. The holder of the flag may change the links, for a few writes
/// at a time. Nothing is allocated or released and no user code runs meanwhile. Once the list is closed, the closing thread
/// owns it, and no other thread accesses the links.
///
/// The whole list lies in the memory of the composite. An entry may outlive its composite, and may be removed during its
/// deinitialisation. Therefore an entry has an unowned reference, which keeps the memory but not the composite. There the
/// list stays closed.
@safe private struct CompositeList: @unchecked Sendable {  // The flag guards the links.
    @safe struct Storage: ~Copyable {
        let flag = OwnerFlag()

        /// 1: nothing is added or removed any more. Otherwise the address of the kept object, retained, or 0. Written with the
        /// flag held.
        let end = AtomicWord()

        /// Guarded by the flag.
        var entries = IntrusiveList<CompositeEntry>()
        var population = CompositePopulation()
    }

    enum Addition {
        case added
        /// The caller sweeps the list.
        case dueForSweep
        /// The list doesn't take the reference over.
        case closed
    }

    private let storage: UnsafeMutablePointer<Storage>
    #if Exploration
        private let links: Explorer.Mark
    #endif

    init(of composite: CompositeDisposable) {
        #if Exploration
            links = composite.links
        #endif
        // The composite's first stored property, found as in `AtomicWord`.
        unsafe storage = _getUnsafePointerToStoredProperties(composite).assumingMemoryBound(to: Storage.self)
    }

    /// The list of the composite to which an entry belongs, even if that is being deinitialised or is gone.
    init(for entry: CompositeEntry) {
        #if Exploration
            links = entry.links
        #endif
        // An unowned reference to an object of Swift is its address. It isn't read as a reference: that would stop the program
        // after the composite's deinitialisation.
        let properties = unsafe _getUnsafePointerToStoredProperties(entry)
        let composite = unsafe properties.load(fromByteOffset: 8, as: UnsafeMutableRawPointer.self)
        // A constant, the same for every object.
        let header = unsafe properties - Unmanaged.passUnretained(entry).toOpaque()
        unsafe storage = (composite + header).assumingMemoryBound(to: Storage.self)
    }

    static func == (left: CompositeList, right: CompositeList) -> Bool { unsafe left.storage == right.storage }

    private var flag: OwnerFlag {
        unsafeAddress { unsafe address(of: storage.pointee.flag) }
    }

    private var end: AtomicWord {
        unsafeAddress { unsafe address(of: storage.pointee.end) }
    }

    /// The value of ``end`` in a closed list.
    private static var closed: UInt64 { 1 }

    // acquire: sees the writes before the close. Pairs with `close(_:)`.
    var isClosed: Bool { end.load(.acquire) == CompositeList.closed }

    /// The same, for a thread that holds the flag.
    // relaxed: it is written with the flag held.
    private var isClosedWhileHeld: Bool { end.load(.relaxed) == CompositeList.closed }

    /// Changes the population. Called with the flag held. In a copy: a change in place would count as an access to the whole storage,
    /// with the flag in it.
    private func change<Result>(_ body: (inout CompositePopulation) -> Result) -> Result {
        var population = unsafe storage.pointee.population
        defer { unsafe storage.pointee.population = population }
        return body(&population)
    }

    /// Changes the links. As above.
    private func edit<Result>(_ body: (inout IntrusiveList<CompositeEntry>) -> Result) -> Result {
        var entries = unsafe storage.pointee.entries
        defer { unsafe storage.pointee.entries = entries }
        return body(&entries)
    }

    /// Appends an entry, unless it is over.
    ///
    /// - Parameter added: A reference to the entry, which the list takes over.
    func append(_ entry: CompositeEntry, _ added: Unmanaged<CompositeEntry>) -> Addition {
        let held = flag.acquire()
        willChangeLinks()
        let isOpen = !isClosedWhileHeld
        // The entry may already have been disposed of. The disposal removes it after this critical section, or has already
        // tried to: then this critical section comes later and sees that it is over.
        let isAdded = isOpen && !entry.isDisposed
        var isDue = false
        if isAdded {
            edit { unsafe $0.append(added) }
            isDue = change { $0.add() }
        }
        flag.release(held)
        if isOpen, !isAdded { unsafe added.release() }
        return isDue ? .dueForSweep : isOpen ? .added : .closed
    }

    /// Removes an entry, if it is in the list. The caller retains it.
    func remove(_ entry: CompositeEntry) {
        if isClosed { return }
        let held = flag.acquire()
        willChangeLinks()
        let isThere = unsafe !isClosedWhileHeld && storage.pointee.entries.contains(entry)
        if isThere {
            unlink(entry)
            change { $0.remove() }
        }
        flag.release(held)
        if isThere { unsafe Unmanaged.passUnretained(entry).release() }
    }

    private func willChangeLinks() {
        #if Exploration
            PlainAccess.write(links)
        #endif
    }

    private func unlink(_ entry: CompositeEntry) { edit { _ = unsafe $0.remove(entry) } }

    /// Takes all entries permanently, then passes them to `body`, oldest first. Does nothing on later calls.
    func close(_ body: (CompositeEntry) -> Void) {
        if isClosed { return }
        let held = flag.acquire()
        willChangeLinks()
        guard !isClosedWhileHeld else {
            flag.release(held)
            return
        }
        // relaxed: as in `isClosedWhileHeld`.
        let kept = unsafe CompositeList.kept(end.load(.relaxed))
        var rest = unsafe edit { unsafe $0.takeAll() }
        // release: a thread that finds the list closed sees this thread's earlier writes.
        end.store(CompositeList.closed, .release)
        flag.release(held)
        while let entry = unsafe rest?.takeRetainedValue() {
            unsafe rest = entry.neighbours.next
            body(entry)
        }
        unsafe kept?.release()
    }

    // MARK: The sweep

    /// Puts the marker before all entries, and returns how many there are.
    func beginSweep(_ marker: SweepMarker) -> UInt32 {
        let reference = unsafe Unmanaged<CompositeEntry>.passRetained(marker)
        let held = flag.acquire()
        willChangeLinks()
        let isOpen = !isClosedWhileHeld
        if isOpen { edit { unsafe $0.insert(reference, behind: nil) } }
        let count = unsafe isOpen ? storage.pointee.population.count : 0
        flag.release(held)
        if !isOpen { unsafe reference.release() }
        return count
    }

    /// Lets the marker pass the next entry, which is returned with a reference to its contents: nil for a closure, and for contents
    /// that aren't set or that another thread is about to take.
    ///
    /// - Returns: nil if there is none, or the list is closed.
    func pass(_ marker: SweepMarker) -> (entry: CompositeEntry, contents: (any Disposable)?)? {
        let held = flag.acquire()
        willChangeLinks()
        var passed: CompositeEntry?
        var contents: (any Disposable)?
        if !isClosedWhileHeld, let next = marker.neighbours.next {
            let entry = unsafe next.takeUnretainedValue()
            unlink(marker)
            edit { unsafe $0.insert(.passUnretained(marker), behind: next) }
            contents = entry.contentsOfLinked
            passed = entry
        }
        flag.release(held)
        return passed.map { ($0, contents) }
    }

    /// Takes the marker out, unless the thread that has closed the list has done so.
    func endSweep(_ marker: SweepMarker) {
        let held = flag.acquire()
        willChangeLinks()
        let isOpen = !isClosedWhileHeld
        if isOpen {
            unlink(marker)
            change { $0.endSweep() }
        }
        flag.release(held)
        if isOpen { unsafe Unmanaged.passUnretained(marker).release() }
    }

    /// References to the disposables, oldest first: at most a thousand, so that the flag isn't held for long.
    var contents: [any Disposable] {
        var contents: [any Disposable] = []
        // Memory isn't allocated while the flag is held.
        contents.reserveCapacity(min(count, 1_000))
        let held = flag.acquire()
        willChangeLinks()
        var next = unsafe isClosedWhileHeld ? nil : storage.pointee.entries.first
        while contents.count < contents.capacity, let entry = unsafe next?.takeUnretainedValue() {
            if let disposable = entry.contentsOfLinked { contents.append(disposable) }
            unsafe next = entry.neighbours.next
        }
        flag.release(held)
        return contents
    }

    private var count: Int {
        let held = flag.acquire()
        willChangeLinks()
        let count = unsafe Int(storage.pointee.population.count)
        flag.release(held)
        return count
    }

    // MARK: The kept object

    private static func kept(_ bits: UInt64) -> Unmanaged<AnyObject>? {
        unsafe UnsafeRawPointer(bitPattern: UInt(bits)).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
    }

    func keep(_ object: AnyObject) -> Bool {
        let held = flag.acquire()
        willChangeLinks()
        let isOpen = !isClosedWhileHeld
        // relaxed: the flag publishes it.
        if isOpen { end.store(unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())), .relaxed) }
        flag.release(held)
        return isOpen
    }

    func releaseKept() {
        if isClosed { return }
        let held = flag.acquire()
        willChangeLinks()
        var kept: Unmanaged<AnyObject>?
        if !isClosedWhileHeld {
            unsafe kept = CompositeList.kept(end.load(.relaxed))
            end.store(0, .relaxed)
        }
        flag.release(held)
        unsafe kept?.release()
    }
}

/// A part of a composite, and the handle that removes it. Its contents are a disposable or a closure: see the subclasses.
///
/// Its word decides who owns the contents: see ``CompositeEntryState``.
@usableFromInline
@safe class CompositeEntry: Disposable, Listed, @unchecked Sendable {  // The word decides who owns the contents.
    fileprivate final let state: AtomicState<CompositeEntryState>

    /// Keeps the list's memory. Never read as a reference: the composite may be deinitialised. See ``CompositeList``.
    private unowned final let composite: CompositeDisposable

    /// The neighbours in the list. Guarded by the list's flag while it is open, then owned by the closing thread.
    @safe @exclusivity(unchecked) @usableFromInline final var neighbours = Neighbours<CompositeEntry>()

    #if Exploration
        fileprivate final let links: Explorer.Mark
    #endif

    /// Creates an entry, not yet added to the composite.
    fileprivate init(_ state: CompositeEntryState, in composite: __shared CompositeDisposable) {
        self.state = AtomicState(state)
        self.composite = composite
        #if Exploration
            links = composite.links
        #endif
        assert(list == composite.list)
    }

    private final var list: CompositeList { CompositeList(for: self) }

    /// Whether it has been removed.
    // acquire: sees the writes before the end. Pairs with `end()`.
    @usableFromInline
    final var isDisposed: Bool { state.load(.acquire) == .over }

    /// A reference to the disposable in an entry of an open list; nil if there is none. Called with the list's flag held. Nobody
    /// takes the contents meanwhile: the entry is first removed from the list, or the list is closed.
    fileprivate var contentsOfLinked: (any Disposable)? { nil }

    /// Disposes of the contents, or only releases them. Called once, by their owner.
    fileprivate func takeContents(disposing isDisposing: Bool) {}

    /// Removes the contents from their composite.
    @usableFromInline
    func dispose() { takeOut(disposing: false) }

    /// Removes the contents from their composite, and disposes of them.
    final func disposeOfContents() { takeOut(disposing: true) }

    /// Disposes of the contents, unless they have been removed. Called by the thread that has closed the list.
    fileprivate final func disposeOfTaken() {
        if end() == .holding { takeContents(disposing: true) }
    }

    /// Ends the entry and removes it from the list. The first caller takes the contents.
    private final func takeOut(disposing isDisposing: Bool) {
        let before = end()
        if before == .over { return }
        list.remove(self)
        if before == .holding { takeContents(disposing: isDisposing) }
    }

    /// Ends the entry, and returns its old state.
    private final func end() -> CompositeEntryState {
        // acquireRelease: the winner sees the contents, and owns them from here on.
        state.exchange(.over, .acquireRelease)
    }
}

/// A disposable in a composite.
class DisposableEntry: CompositeEntry, @unchecked Sendable {  // See the superclass.
    /// Owned as ``CompositeEntryState`` says.
    private final var contents: (any Disposable)?

    /// Creates an entry. If `contents` is nil, ``fill(_:)`` sets them later.
    init(_ contents: (any Disposable)?, in composite: __shared CompositeDisposable) {
        self.contents = contents
        super.init(contents == nil ? .empty : .holding, in: composite)
    }

    /// Sets the contents of an entry that was made without any. If the entry is over, `contents` is disposed of.
    final func fill(_ contents: (any Disposable)?) {
        PlainAccess.write(self)
        self.contents = contents
        // release: leaves the contents to the thread that ends the entry. acquire: if it has ended, sees the writes before.
        if !state.tryUpdate(from: .empty, .acquireRelease, { $0.filling() }).won { takeContents(disposing: true) }
    }

    fileprivate override final var contentsOfLinked: (any Disposable)? {
        // acquire: sees the contents. Pairs with the release in `fill(_:)`.
        guard state.load(.acquire) == .holding else { return nil }
        PlainAccess.read(self)
        return contents
    }

    fileprivate override final func takeContents(disposing isDisposing: Bool) {
        PlainAccess.write(self)
        let taken = contents.take()
        if isDisposing { taken?.dispose() }
    }
}

/// A closure in a composite.
private final class ActionEntry: CompositeEntry, @unchecked Sendable {  // See the superclass.
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void, in composite: __shared CompositeDisposable) {
        self.action = action
        super.init(.holding, in: composite)
    }

    override func takeContents(disposing isDisposing: Bool) {
        PlainAccess.write(self)
        let taken = action.take()
        if isDisposing { taken?() }
    }
}

/// Where a sweep of a composite is. An entry without contents, to which nobody has a handle.
private final class SweepMarker: CompositeEntry, @unchecked Sendable {  // See the superclass.
    init(in composite: __shared CompositeDisposable) {
        super.init(.over, in: composite)
    }
}
