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
    /// - Parameter subject: The stream that an observation observes.
    @usableFromInline
    @inline(never)
    static func enter(_ object: AnyObject, _ kind: Kind, of subject: UInt = 0) {
        ccorinth_registry_add(address(of: object), kind.rawValue, subject)
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

    private static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    static func count(of kind: Kind) -> Int { Int(clamping: ccorinth_registry_count(kind.rawValue)) }

    /// How many objects aren't in it, because there was no memory for them.
    static var missed: Int { Int(clamping: ccorinth_registry_missed()) }

    /// Names an object that is in it.
    static func name(_ object: AnyObject, _ name: String) {
        unsafe name.withCString { unsafe ccorinth_registry_name(address(of: object), $0) }
    }

    /// Calls a function with each entry, which must be short, and must neither make nor end any object that may be in the registry.
    static func visit(_ body: (ccorinth_registry_entry) -> Void) {
        withoutActuallyEscaping(body) { body in
            var body = body
            unsafe withUnsafeMutablePointer(to: &body) { context in
                unsafe ccorinth_registry_visit(context) { context, entry in
                    unsafe context?.assumingMemoryBound(to: ((ccorinth_registry_entry) -> Void).self).pointee(
                        entry.pointee)
                }
            }
        }
    }

    /// Copies all entries. The objects may have ended since.
    static var entries: [ccorinth_registry_entry] {
        var entries: [ccorinth_registry_entry] = []
        visit { entries.append($0) }
        return entries
    }

    /// All objects whose end hasn't begun. Whoever releases the result may release the last reference to some of them.
    static var objects: [(entry: ccorinth_registry_entry, kind: Kind, object: AnyObject)] {
        var objects: [(entry: ccorinth_registry_entry, kind: Kind, object: AnyObject)] = []
        visit { entry in
            guard let kind = Kind(rawValue: entry.kind),
                let address = unsafe UnsafeMutableRawPointer(bitPattern: entry.object),
                unsafe ccorinth_try_retain(address)
            else { return }
            objects.append((entry, kind, unsafe Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()))
        }
        return objects
    }
}

extension ccorinth_registry_entry {
    /// The return addresses, innermost first.
    var addresses: [UInt] {
        unsafe withUnsafeBytes(of: frames) { unsafe Array($0.bindMemory(to: UInt.self).prefix(Int(frame_count))) }
    }

    /// As its maker calls it.
    var givenName: String? {
        let name = unsafe withUnsafeBytes(of: name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return name.isEmpty ? nil : name
    }
}
