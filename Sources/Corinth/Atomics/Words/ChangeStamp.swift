public import CCorinth

/// Which assignment of a program a change of a bound property comes from, and over how many bindings (law B2).
///
///      63 ……… 16                  15 ……… 0
///     | number of the assignment | bindings |
///
/// A binding hands on the stamp of the change that it delivers. So a property recognises a change that it has made itself, and one
/// that is older than its value: the last assignment wins everywhere, and no change goes round for ever. This is the “last
/// writer wins” register of Johnson and Thomas (RFC 677, 1975), with the clock shared by all threads.
@frozen
@usableFromInline
struct ChangeStamp: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// No change of a bound property; and the stamp of a property that isn't bound.
    @inlinable @inline(__always)
    static var none: ChangeStamp { ChangeStamp(bits: 0) }

    /// That of a bound property that has not been assigned since. Older than all.
    static var unassigned: ChangeStamp { ChangeStamp(bits: 1) }

    /// What a thread that starts a binding delivers: no change, but the start knows.
    @inlinable @inline(__always)
    static var starting: ChangeStamp { ChangeStamp(bits: 2) }

    /// Whether it is the stamp of an assignment.
    @inlinable
    var isOfAssignment: Bool {
        @inline(__always)
        get { number != 0 }
    }

    /// That of a new assignment.
    @usableFromInline
    static func next() -> ChangeStamp {
        // relaxed: only the numbers count. What is assigned is published with the value.
        ChangeStamp(bits: (clock.fetchAdd(1, .relaxed) &+ 1) &<< 16)
    }

    private static let clock = AtomicWord()

    @inlinable
    var number: UInt64 {
        @inline(__always)
        get { bits &>> 16 }
    }

    /// Whether a property with this stamp refuses a change that comes over a binding: it has a newer value, or the change comes
    /// from its own one. A second change of the same assignment that doesn't is accepted, for example of a source that sends
    /// two values for one.
    func refuses(_ arriving: ChangeStamp) -> Bool {
        number > arriving.number || number == arriving.number && bits <= arriving.bits
    }

    /// The stamp of the change that a binding makes.
    var afterBinding: ChangeStamp {
        bits & 0xffff == 0xffff ? self : ChangeStamp(bits: bits &+ 1)
    }
}

extension ThreadState {
    /// The change of a bound property that this thread delivers.
    @inlinable @inline(__always)
    var change: ChangeStamp {
        get { unsafe ChangeStamp(bits: state.pointee.change) }
        nonmutating set { unsafe state.pointee.change = newValue.bits }
    }

    /// Runs `body` as part of a change.
    @inlinable @inline(__always)
    func during<Result>(_ change: ChangeStamp, _ body: () -> Result) -> Result {
        let outer = self.change
        self.change = change
        defer { self.change = outer }
        return body()
    }
}
