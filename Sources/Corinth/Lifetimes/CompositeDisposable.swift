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
        var rest = unsafe Entry.list(at: head.load(.acquire))
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
        for entry in Entry.takeList(at: seen) { entry.disposeOfContents() }
    }

    /// Adds a disposable.
    ///
    /// - Returns: A handle that takes the disposable out again, without disposing of it; nil if there was nothing to add
    ///   or this composite has been disposed of already, and `disposable` with it.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable else { return nil }
        let entry = Entry(disposable)
        return insert(entry) ? entry : nil
    }

    /// Adds a disposable that takes itself out when it is done.
    ///
    /// - Parameter handOver: Gets the handle before `disposable` is added: from then on, another thread may dispose of it.
    @usableFromInline
    func add(_ disposable: any Disposable, handOver: (any Disposable) -> Void) {
        let entry = Entry(disposable)
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
    private func push(_ entry: Entry) -> Bool {
        let retained = unsafe Unmanaged.passRetained(entry)
        let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
        var seen = head.load(.relaxed)
        while seen != CompositeDisposable.closed {
            unsafe entry.older = Entry.list(at: seen)
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
    private func insert(_ entry: Entry) -> Bool {
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
        let entries = Entry.takeList(at: seen)
        let live = entries.filter { !$0.isDisposed }
        let shells = UInt64(entries.count - live.count)
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
@safe private final class Entry: Disposable, @unchecked Sendable {  // The flag settles who may touch the contents.
    private var flagStorage: UInt64 = 0

    /// Owned by whoever raises the flag.
    private var contents: (any Disposable)?

    /// Owned by whoever owns the list: the thread that pushes it, then the one that takes it.
    var older: Unmanaged<Entry>?

    init(_ contents: any Disposable) {
        self.contents = contents
        unsafe older = nil
    }

    private var flag: DisposalFlag { DisposalFlag(of: self) }

    /// Whether it has been taken out.
    var isDisposed: Bool { flag.isRaised }

    /// Takes the disposable out of its composite.
    func dispose() {
        guard flag.raise() else { return }
        contents = nil
    }

    func disposeOfContents() {
        guard flag.raise() else { return }
        let contents = self.contents
        self.contents = nil
        contents?.dispose()
    }

    static func list(at address: UInt64) -> Unmanaged<Entry>? {
        guard address > 1, let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        return unsafe Unmanaged<Entry>.fromOpaque(pointer)
    }

    /// The entries of a list that is the caller's, oldest first.
    static func takeList(at address: UInt64) -> [Entry] {
        var entries: [Entry] = []
        var rest = unsafe list(at: address)
        while let entry = unsafe rest?.takeRetainedValue() {
            unsafe rest = entry.older
            unsafe entry.older = nil
            entries.append(entry)
        }
        entries.reverse()
        return entries
    }
}
