/// The neighbours of a member of an ``IntrusiveList``. Guarded by what guards the list.
@frozen
@usableFromInline
@safe struct Neighbours<Member: AnyObject> {
    @safe @usableFromInline var previous: Unmanaged<Member>?
    @safe @usableFromInline var next: Unmanaged<Member>?

    @inlinable @inline(__always)
    init() {
        previous = nil
        next = nil
    }
}

/// An object that may be in an ``IntrusiveList``, in one at a time.
@usableFromInline
protocol Listed: AnyObject {
    /// This type, or the superclass of all members.
    associatedtype Member: AnyObject

    var neighbours: Neighbours<Member> { get set }
}

/// A doubly linked list whose members hold the links, so that it allocates nothing, and so that any member can be removed.
///
/// It counts no references. Whoever appends a reference takes the one that is removed.
///
/// - Complexity: O(1) for each operation.
@frozen
@usableFromInline
@safe struct IntrusiveList<Member: Listed> where Member.Member == Member {
    @safe @usableFromInline private(set) var first: Unmanaged<Member>?
    @safe @usableFromInline private(set) var last: Unmanaged<Member>?

    @inlinable @inline(__always)
    init() {
        first = nil
        last = nil
    }

    @inlinable
    var isEmpty: Bool {
        @inline(__always)
        get { unsafe first == nil }
    }

    /// Whether an object that is in no other list is in this one.
    @inlinable @inline(__always)
    func contains(_ member: Member) -> Bool {
        unsafe member.neighbours.previous != nil || first?.toOpaque() == Unmanaged.passUnretained(member).toOpaque()
    }

    @inlinable @inline(__always)
    mutating func append(_ added: Unmanaged<Member>) {
        let last = self.last
        unsafe added._withUnsafeGuaranteedRef { $0.neighbours.previous = unsafe last }
        if let last = unsafe last {
            unsafe last._withUnsafeGuaranteedRef { $0.neighbours.next = unsafe added }
        } else {
            first = unsafe added
        }
        self.last = unsafe added
    }

    /// - Parameter previous: The member behind which it is put; nil for the beginning.
    mutating func insert(_ added: Unmanaged<Member>, behind previous: Unmanaged<Member>?) {
        var next = first
        if let previous = unsafe previous {
            unsafe previous._withUnsafeGuaranteedRef {
                unsafe next = $0.neighbours.next
                $0.neighbours.next = unsafe added
            }
        } else {
            first = unsafe added
        }
        if let next = unsafe next {
            unsafe next._withUnsafeGuaranteedRef { $0.neighbours.previous = unsafe added }
        } else {
            last = unsafe added
        }
        unsafe added._withUnsafeGuaranteedRef {
            $0.neighbours.previous = unsafe previous
            $0.neighbours.next = unsafe next
        }
    }

    /// - Returns: The reference that was added.
    @inlinable @inline(__always)
    @discardableResult
    mutating func remove(_ member: Member) -> Unmanaged<Member> {
        let neighbours = member.neighbours
        if let previous = neighbours.previous {
            unsafe previous._withUnsafeGuaranteedRef { $0.neighbours.next = neighbours.next }
        } else {
            first = neighbours.next
        }
        if let next = neighbours.next {
            unsafe next._withUnsafeGuaranteedRef { $0.neighbours.previous = neighbours.previous }
        } else {
            last = neighbours.previous
        }
        member.neighbours = Neighbours()
        return unsafe .passUnretained(member)
    }

    @inlinable @inline(__always)
    mutating func moveToEnd(_ member: Member) {
        if unsafe member.neighbours.next != nil { unsafe append(remove(member)) }
    }

    /// Empties the list.
    ///
    /// - Returns: The first member. The neighbours of the members are as before.
    @inlinable @inline(__always)
    mutating func takeAll() -> Unmanaged<Member>? {
        let all = first
        self = IntrusiveList()
        return unsafe all
    }
}
