#if Exploration
    internal import CCorinth
#else
    public import CCorinth
#endif

/// The objects of the library that are alive, and where each was made: see `ccorinth_registry.h`.
///
/// While it is off, which is usual, an object pays for a load and a branch when it is made and when it ends, and nothing for what
/// it does. It is on in debug builds, where ``LiveObjects`` counts what is in it.
@usableFromInline
enum Registry {
    @usableFromInline
    enum Kind: UInt32, CaseIterable {
        case signal
        case start
        case observation
        case hop
        case droppingHop
        case scheduler

        /// Those whose objects are looked into.
        fileprivate var isRetained: Bool { self != .start }
    }

    /// Whether objects that are made enter it. They ask before they call ``enter(_:_:)``, as the last thing in an initialiser that owns
    /// no parameter any more: in a function of its own, the compiler would retain objects for that call, even while this is false.
    @inlinable
    static var isOn: Bool {
        @inline(__always)
        get {
            #if Exploration
                false
            #else
                ccorinth_registry_is_on()
            #endif
        }
    }

    static func turn(on: Bool) { ccorinth_registry_switch(on) }

    /// Enters an object that is made.
    ///
    /// - Parameters:
    ///   - subject: The stream that an observation observes; the strand through which a hop delivers.
    ///   - queue: The permits that count what is queued in a hop.
    @usableFromInline
    @inline(never)
    static func enter(_ object: AnyObject, _ kind: Kind, of subject: UInt = 0, queue: UInt = 0) {
        ccorinth_registry_add(address(of: object), kind.rawValue, subject, queue)
    }

    /// Whether an object that ends may be in it. Objects ask before they call ``leave(_:)``.
    @inlinable
    static var mayContainAny: Bool {
        @inline(__always)
        get {
            #if Exploration
                false
            #else
                ccorinth_registry_may_contain()
            #endif
        }
    }

    /// Takes an object out that ends.
    @usableFromInline
    @inline(never)
    static func leave(_ object: AnyObject) { ccorinth_registry_remove(address(of: object)) }

    static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    static func count(of kind: Kind) -> Int { Int(clamping: ccorinth_registry_count(kind.rawValue)) }

    /// How many objects aren't in it, because there was no memory for them.
    static var missed: Int { Int(clamping: ccorinth_registry_missed()) }

    /// Names an object that is in it.
    static func name(_ object: AnyObject, _ name: String) {
        unsafe name.withCString { unsafe ccorinth_registry_name(address(of: object), $0) }
    }

    /// Calls a function with a copy of all entries. All but starts are retained meanwhile; those whose end has begun are left out. A
    /// start may have ended since.
    static func withEntries<Result>(_ body: ([Entry]) -> Result) -> Result {
        var count = 0
        let retained = Kind.allCases.reduce(UInt32(0)) { $1.isRetained ? $0 | 1 << $1.rawValue : $0 }
        let copy = unsafe ccorinth_registry_copy(retained, &count)
        let entries = unsafe copy.map { copy in (0..<count).map { unsafe Entry(pointer: copy + $0) } } ?? []
        defer {
            // The last reference to some of them, perhaps: nothing is held here.
            for entry in entries where entry.kind?.isRetained == true { unsafe entry.reference?.release() }
            unsafe copy?.deallocate()
        }
        return body(entries)
    }

    /// An entry, for the length of a call of ``withEntries(_:)``.
    @safe
    struct Entry {
        fileprivate let pointer: UnsafeMutablePointer<ccorinth_registry_entry>

        fileprivate init(pointer: UnsafeMutablePointer<ccorinth_registry_entry>) { unsafe self.pointer = pointer }

        /// nil in tests.
        var kind: Kind? { unsafe Kind(rawValue: pointer.pointee.kind) }

        /// The address of the object.
        var address: UInt { unsafe pointer.pointee.object }

        /// All but a start.
        var object: AnyObject? { unsafe reference?.takeUnretainedValue() }

        fileprivate var reference: Unmanaged<AnyObject>? {
            unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
        }

        /// When it was made: nanoseconds of the monotonic clock.
        var since: UInt64 { unsafe pointer.pointee.since }

        /// The stream that an observation observes.
        var subject: UInt { unsafe pointer.pointee.subject }

        /// The same for equal frames, and hardly ever for others.
        var stack: UInt64 { unsafe pointer.pointee.stack }

        /// The return addresses, innermost first.
        var frames: [UInt] {
            unsafe withUnsafeBytes(of: &pointer.pointee.frames) {
                unsafe Array($0.bindMemory(to: UInt.self).prefix(Int(unsafe pointer.pointee.frame_count)))
            }
        }

        /// As its maker calls it.
        var name: String? {
            unsafe withUnsafeBytes(of: &pointer.pointee.name) {
                unsafe $0[0] == 0 ? nil : String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    }
}
