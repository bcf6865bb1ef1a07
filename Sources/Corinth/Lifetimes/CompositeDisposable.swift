/// Any number of disposables that are disposed of together, in the order in which they were added.
///
/// Adding to one that has been disposed of disposes of the newcomer at once, on the calling thread. Any thread may call
/// anything at any time; nobody waits.
///
/// - Complexity: Adding is O(1) amortised, with one allocation; taking one out again is O(1).
public final class CompositeDisposable: Disposable, @unchecked Sendable {  // All mutable state is atomic words.
    // The newest entry's address, 0, or `closed`.
    private var headStorage: UInt64 = 0
    private var sizeStorage: UInt64 = 0
    private var limitStorage: UInt64 = 16

    /// Instead of an entry's address: disposed of.
    private static let closed: UInt64 = 1

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
        // A composite that is let go of disposes of nothing.
        var rest = unsafe CompositeEntry.list(at: head.load(.acquire))
        while let entry = unsafe rest?.takeRetainedValue() { unsafe rest = entry.older }
    }

    private var head: AtomicWord { AtomicWord(of: self) }

    /// How many entries are in the list, shells included.
    private var size: AtomicWord { AtomicWord(of: self, at: 8) }

    /// At which size shells are looked for next.
    private var limit: AtomicWord { AtomicWord(of: self, at: 16) }

    /// Whether it has been disposed of.
    public var isDisposed: Bool { head.load(.acquire) == CompositeDisposable.closed }

    /// Disposes of everything that was added, in that order.
    public func dispose() {
        // release: what this thread did before is seen by whoever finds it closed. acquire: sees the entries.
        let seen = head.exchange(CompositeDisposable.closed, .acquireRelease)
        CompositeEntry.takeList(at: seen) { $0.disposeOfContents() }
    }

    /// Adds a disposable.
    ///
    /// - Returns: A handle that takes the disposable out again, without disposing of it; nil if there was nothing to add
    ///   or this composite has been disposed of already, and `disposable` with it.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable else { return nil }
        let entry = CompositeEntry(disposable)
        return insert(entry) ? entry : nil
    }

    /// Adds a disposable that takes itself out when it is done.
    ///
    /// - Parameter handOver: Gets the handle before `disposable` is added: from then on, another thread may dispose of it.
    @usableFromInline
    func add(_ disposable: any Disposable, handOver: (any Disposable) -> Void) {
        let entry = CompositeEntry(disposable)
        handOver(entry)
        insert(entry)
    }

    /// Adds a closure to run.
    ///
    /// - Returns: A handle that takes the closure out again; nil if it ran at once.
    @discardableResult
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
    public static func += (
        left: CompositeDisposable, right: sending @escaping () -> Void
    ) -> (any Disposable)? {
        left.add(right)
    }

    /// Puts an entry on top; false if this has been disposed of.
    private func push(_ entry: CompositeEntry) -> Bool {
        let retained = unsafe Unmanaged.passRetained(entry)
        let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
        var seen = head.load(.relaxed)
        while seen != CompositeDisposable.closed {
            unsafe entry.older = CompositeEntry.list(at: seen)
            // release: publishes the entry to whoever takes the list. Pairs with the exchanges on `head`.
            let result = head.compareExchange(seen, address, .release)
            if result.won { return true }
            seen = result.seen
        }
        unsafe entry.older = nil
        unsafe retained.release()
        return false
    }

    /// Puts an entry on top, or disposes of its contents if this has been disposed of.
    @discardableResult
    func insert(_ entry: CompositeEntry) -> Bool {
        // relaxed: a count, by which nothing is published. Before the push, so that it is never less than what is there.
        let count = size.fetchAdd(1, .relaxed) + 1
        guard push(entry) else {
            entry.disposeOfContents()
            return false
        }
        if count >= limit.load(.relaxed) { dropShells() }
        return true
    }

    /// An entry that was taken out stays in the list as a shell. Whoever adds drops them when the list has grown to twice the
    /// size that it had after the last time, so that there are never many more shells than entries.
    private func dropShells() {
        // Take the list, drop the shells, and push the rest back. Who disposes meanwhile finds the list empty; the push
        // then finds it closed, and the disposal is done here.
        var seen = head.load(.relaxed)
        while seen != CompositeDisposable.closed {
            let result = head.compareExchange(seen, 0, .acquireRelease)
            if result.won { break }
            seen = result.seen
        }
        guard seen != CompositeDisposable.closed else { return }
        var live: [CompositeEntry] = []
        var shells: UInt64 = 0
        CompositeEntry.takeList(at: seen) { if $0.isDisposed { shells += 1 } else { live.append($0) } }
        let left = size.fetchSubtract(shells, .relaxed) - shells
        limit.store(max(16, left * 2), .relaxed)
        for entry in live {
            if !push(entry) {
                entry.disposeOfContents()
            }
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

    /// Owned by whoever owns the list: the thread that pushes it, then the one that takes it.
    fileprivate final var older: Unmanaged<CompositeEntry>?

    /// One that is filled later, if `contents` is nil.
    init(_ contents: (any Disposable)?) {
        stateStorage = contents == nil ? State.empty : State.holding
        self.contents = contents
        unsafe older = nil
    }

    private final var state: AtomicWord { AtomicWord(of: self) }

    /// Whether it has been taken out.
    // acquire: whoever sees it also sees what was done before. Pairs with `end()`.
    final var isDisposed: Bool { state.load(.acquire) == State.over }

    /// Takes the disposable out of its composite.
    func dispose() { _ = end() }

    /// Takes the disposable out of its composite, and disposes of it.
    final func disposeOfContents() { end()?.dispose() }

    /// Puts in what was not there yet when the entry was made. If it is over by now, `contents` is disposed of.
    final func fill(_ contents: (any Disposable)?) {
        PlainAccess.write(self)
        self.contents = contents
        // release: leaves the contents to whoever ends it. acquire: if that has been done, sees what led to it.
        if !state.compareExchange(State.empty, State.holding, .acquireRelease).won { takeContents()?.dispose() }
    }

    private final func end() -> (any Disposable)? {
        // acquireRelease: what the winner goes on to take was written before, and is its own from here on.
        state.exchange(State.over, .acquireRelease) == State.holding ? takeContents() : nil
    }

    private final func takeContents() -> (any Disposable)? {
        PlainAccess.write(self)
        return contents.take()
    }

    fileprivate static func list(at address: UInt64) -> Unmanaged<CompositeEntry>? {
        guard address > 1, let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        return unsafe Unmanaged<CompositeEntry>.fromOpaque(pointer)
    }

    /// Takes the entries out of a list that is the caller's, oldest first.
    fileprivate static func takeList(at address: UInt64, _ body: (CompositeEntry) -> Void) {
        // Turned round in place: no room is needed for it.
        var oldest: Unmanaged<CompositeEntry>?
        var rest = unsafe list(at: address)
        while let entry = unsafe rest {
            // The list holds it.
            unsafe entry._withUnsafeGuaranteedRef {
                unsafe rest = $0.older
                unsafe $0.older = oldest
            }
            unsafe oldest = entry
        }
        while let entry = unsafe oldest?.takeRetainedValue() {
            unsafe oldest = entry.older
            unsafe entry.older = nil
            body(entry)
        }
    }
}
