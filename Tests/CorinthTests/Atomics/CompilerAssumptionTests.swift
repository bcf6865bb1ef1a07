import CCorinth
@testable import Corinth
import Testing

/// What the library assumes of the compiler and of Swift's runtime. “What it assumes of the compiler” in `MemoryModel.md` says
/// where. These are the first tests to run on a compiler that was never tried.
///
/// They look at memory, not at what the library says of it. What makes or reads an object isn't inlined, so that the optimiser
/// doesn't know the object and can't compute the result.
@Suite("What the library assumes of the compiler and of the runtime")
struct CompilerAssumptionTests {
    @Suite("Objects")
    struct Objects {}

    @Suite("Closures")
    struct Closures {}

    @Suite("Threads and queues")
    struct Threads {}

    /// The address of an object.
    static func address(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// How many bytes lie before an object's fields.
    static func header(of object: AnyObject) -> UInt {
        unsafe UInt(bitPattern: _getUnsafePointerToStoredProperties(object)) - address(of: object)
    }
}

// As a signal's state, its core and a stage are.
@safe private class Base {
    final var first: UInt64 = 0
    final var pair: (UInt64, UInt64) = (0, 0)
    final var reference: Unmanaged<AnyObject>?

    init() { unsafe reference = nil }
}

@safe private class Middle<Value>: Base {}

@safe private final class Leaf<Value>: Middle<Value> {
    var words = ClosureWords()
    var last: UInt64 = 0

    @inline(never)
    static func make() -> Leaf { Leaf() }

    /// The object's fields, in the order of their declaration.
    @inline(never)
    var fields: [UInt64] {
        let (reference, captures) = unsafe (
            UInt(bitPattern: reference?.toOpaque()), UInt(bitPattern: words.captures?.toOpaque())
        )
        return [first, pair.0, pair.1, UInt64(reference), words.code, UInt64(captures), last]
    }
}

private final class Words<First> {
    private let first: First
    private let word = AtomicWord(7)
    private let other = AtomicWord(9)

    private init(_ first: First) { self.first = first }

    @inline(never)
    static func make(_ first: First) -> Words { Words(first) }

    @inline(never)
    func places() -> [UInt] { unsafe [UInt(bitPattern: word.address), UInt(bitPattern: other.address)] }

    @inline(never)
    func second() -> UInt64 { other.load(.relaxed) }
}

private final class Owner {
    var word: UInt64
    private let token: LeakCounter.Token

    private init(_ word: UInt64, _ token: LeakCounter.Token) {
        self.word = word
        self.token = token
    }

    @inline(never)
    static func make(_ word: UInt64, _ token: LeakCounter.Token) -> Owner { Owner(word, token) }
}

private final class Entry {
    var state: UInt64 = 0
    private unowned let owner: Owner

    private init(_ owner: Owner) { self.owner = owner }

    @inline(never)
    static func make(for owner: Owner) -> Entry { Entry(owner) }

    /// The owner's address, from the reference's bits.
    @inline(never)
    var bits: UInt { unsafe _getUnsafePointerToStoredProperties(self).load(fromByteOffset: 8, as: UInt.self) }
}

/// An object of at least one word more than its header.
private final class Sized<Contents> {
    let contents: Contents

    private init(_ contents: Contents) { self.contents = contents }

    @inline(never)
    static func make(_ contents: Contents) -> AnyObject { Sized(contents) }
}

@safe private struct Fields {
    var first: UInt64
    var second: UInt64
    var reference: Unmanaged<AnyObject>?
    var pair: (UInt64, UInt64)
    var small: Bool
    var other: UInt8
    var last: UInt64
}

extension CompilerAssumptionTests.Objects {
    @Test
    func
        `Fields lie behind the header in the order of their declaration, and a subclass's behind those of its superclass`()
    {
        let object = Leaf<String>.make()
        let properties = unsafe _getUnsafePointerToStoredProperties(object)
        #expect(object.fields == [0, 0, 0, 0, 0, 0, 0])
        for index in 0..<7 {
            unsafe properties.storeBytes(of: UInt64(8 * index + 8), toByteOffset: 8 * index, as: UInt64.self)
        }
        #expect(object.fields == [8, 16, 24, 32, 40, 48, 56])
        object.last = 1
        #expect(unsafe properties.load(fromByteOffset: 48, as: UInt64.self) == 1)
    }

    @Test func `The address of a field is the one that Swift passes for it`() {
        let object = Leaf<String>.make()
        let properties = unsafe _getUnsafePointerToStoredProperties(object)
        let isThere = unsafe withUnsafeMutablePointer(to: &object.last) {
            unsafe UnsafeMutableRawPointer($0) == properties + 48
        }
        #expect(isThere)
    }

    @Test func `An atomic word lies in its object, behind fields of any type, where its value is, and doesn't move`() {
        expectWords(behind: UInt8(1))
        expectWords(behind: (1, 2, 3))
        expectWords(behind: "text")
        expectWords(behind: [[1.0], []] as Any)
    }

    private func expectWords<First>(behind first: First) {
        let words = Words.make(first)
        let start = CompilerAssumptionTests.address(of: words) + CompilerAssumptionTests.header(of: words)
        let offset = (MemoryLayout<First>.size + 7) & ~7
        #expect(words.places() == [start + UInt(offset), start + UInt(offset) + 8])
        #expect(words.places() == words.places())
        let place = unsafe UnsafeMutablePointer<UInt64>(bitPattern: words.places()[1])
        #expect(unsafe place?.pointee == 9)
        unsafe place?.pointee = 10
        #expect(words.second() == 10)
    }

    @Test func `The header has the same size in every object`() {
        let objects = [
            Leaf<String>.make(), Sized<UInt8>.make(1), Sized<[Int]>.make([]), Counter(), CompositeDisposable(),
        ]
        #expect(
            objects.allSatisfy {
                CompilerAssumptionTests.header(of: $0) == CompilerAssumptionTests.header(of: objects[0])
            })
    }

    @Test func `The bits of an unowned reference are the object's address`() {
        let leaks = LeakCounter()
        let owner = Owner.make(1, leaks.token())
        #expect(MemoryLayout<Unowned>.size == 8)
        #expect(Entry.make(for: owner).bits == CompilerAssumptionTests.address(of: owner))
    }

    private struct Unowned { unowned let owner: AnyObject }

    /// Released memory would be given to one of the others.
    @Test func `An unowned reference keeps the memory of an object that is gone, with what was written there`() {
        let leaks = LeakCounter()
        let others = LeakCounter()
        var entries: [Entry] = []
        let values: [UInt64] = (0..<100).map { (index: UInt64) in index | 1 << 40 }
        for value in values { entries.append(Entry.make(for: Owner.make(value, leaks.token()))) }
        #expect(leaks.count == 0)
        let later = (0..<1_000).map { _ in Owner.make(7, others.token()) }
        let header = CompilerAssumptionTests.header(of: entries[0])
        let kept = entries.map { entry in
            unsafe UnsafePointer<UInt64>(bitPattern: entry.bits + header).map { unsafe $0.pointee }
        }
        #expect(kept == values)
        withExtendedLifetime(later) { #expect(others.count == 1_000) }
    }

    @Test func `The bits of an address that words of the library use otherwise are 0`() {
        var objects: [AnyObject] = []
        for index in 0..<200 {
            objects.append(Sized<UInt8>.make(UInt8(index)))
            objects.append(Sized<(Int, Int)>.make((index, index)))
            objects.append(Sized<(Int, Int, Int)>.make((index, index, index)))
            objects.append(Sized<(String, String, String, Int)>.make(("", "", "", index)))
        }
        var others = 15 | BiasedWord.generations
        #if !NaiveLocks
            others |= StrandWord.kept
        #endif
        #expect(objects.allSatisfy { UInt64(CompilerAssumptionTests.address(of: $0)) & others == 0 })
    }

    @Test func `A word has 64 bits, and an unmanaged reference is an address; nil is 0`() {
        let leaks = LeakCounter()
        let owner: AnyObject = Owner.make(1, leaks.token())
        #expect(MemoryLayout<UInt>.size == 8 && MemoryLayout<UInt64>.alignment == 8)
        #expect(unsafe MemoryLayout<Unmanaged<AnyObject>>.size == 8)
        #expect(unsafe MemoryLayout<Unmanaged<AnyObject>?>.size == 8)
        #expect(unsafe bits(of: .passUnretained(owner)) == CompilerAssumptionTests.address(of: owner))
        #expect(unsafe bits(of: nil) == 0)
    }

    @inline(never)
    private func bits(of reference: Unmanaged<AnyObject>?) -> UInt {
        var reference = unsafe reference
        return unsafe withUnsafeBytes(of: &reference) { unsafe $0.load(as: UInt.self) }
    }

    @Test
    func `The fields of a struct and of a tuple are in the order of their declaration, without gaps but for alignment`()
    {
        #expect(MemoryLayout<Fields>.offset(of: \.first) == 0)
        #expect(MemoryLayout<Fields>.offset(of: \.second) == 8)
        #expect(unsafe MemoryLayout<Fields>.offset(of: \.reference) == 16)
        #expect(MemoryLayout<Fields>.offset(of: \.pair.0) == 24)
        #expect(MemoryLayout<Fields>.offset(of: \.pair.1) == 32)
        #expect(MemoryLayout<Fields>.offset(of: \.small) == 40)
        #expect(MemoryLayout<Fields>.offset(of: \.other) == 41)
        #expect(MemoryLayout<Fields>.offset(of: \.last) == 48)
        #expect(MemoryLayout<CacheLinePadding>.size == CacheLinePadding.size)
    }
}
