@testable import Corinth
import CTestSupport
import Testing

private final class Marked: ObserverMark, @unchecked Sendable {
    private let token: LeakCounter.Token

    init(_ token: LeakCounter.Token) { self.token = token }
}

private final class Receiving: Sendable {
    private let token: LeakCounter.Token
    let received = Counter()

    private init(_ token: LeakCounter.Token) { self.token = token }

    @inline(never)
    static func make(_ leaks: LeakCounter = LeakCounter()) -> Receiving { Receiving(leaks.token()) }

    func receive(_ value: Int) { for _ in 0..<value { received.increment() } }

    @inline(never)
    func transform() -> Transform<Int, Int> {
        Transform {
            self.receive($0)
            return $0
        }
    }

    @inline(never)
    func transform(and other: Receiving) -> Transform<Int, Int> {
        Transform {
            self.receive($0)
            other.receive($0)
            return $0
        }
    }

    @inline(never)
    func sink() -> Sink<Int, TestError> {
        Sink(value: { self.receive($0) }, termination: { _ in self.receive(10) })
    }
}

@inline(never)
private func withoutCaptures() -> Transform<Int, Int> { Transform { $0 &+ 1 } }

/// The words of a closure. They take the closure over.
@inline(never)
private func wordsOf(_ closure: consuming Transform<Int, Int>) -> ClosureWords {
    let memory = UnsafeMutablePointer<ClosureWords>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    unsafe UnsafeMutableRawPointer(memory).initializeMemory(as: Transform<Int, Int>.self, to: closure)
    return unsafe memory.move()
}

/// Calls the closure that lies in two words.
@inline(never)
private func call(_ words: ClosureWords, _ value: Int) -> Int {
    unsafe withUnsafePointer(to: words) {
        unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Transform<Int, Int>.self).pointee(value)
    }
}

private func captures(_ words: ClosureWords) -> UInt { unsafe UInt(bitPattern: words.captures?.toOpaque()) }

extension CompilerAssumptionTests.Closures {
    @Test func `A closure is two words, and so is a struct that contains one, whatever their types`() {
        #expect(MemoryLayout<ClosureWords>.size == 16 && MemoryLayout<() -> Void>.size == 16)
        #expect(MemoryLayout<(String, [Int]) throws -> [String]>.size == 16)
        #expect(MemoryLayout<Transform<Int, String?>>.size == 16 && MemoryLayout<Predicate<[Int]>>.size == 16)
        #expect(MemoryLayout<RequestClosure<String, TestError>>.size == 16)
        #expect(
            MemoryLayout<StoredRequests<String, Never>>.size == 16 && MemoryLayout<StoredTermination<Never>>.size == 16)
    }

    @Test func `A closure without captures is code and 0`() {
        let words = wordsOf(withoutCaptures())
        #expect(words.code != 0 && captures(words) == 0)
        #expect(call(words, 1) == 2)
    }

    @Test func `The captures of a closure that captures one object are that object, and nothing is allocated`() {
        let leaks = LeakCounter()
        var words = ClosureWords()
        do {
            let object = Receiving.make(leaks)
            let memory = UnsafeMutablePointer<Transform<Int, Int>>.allocate(capacity: 1)
            let before = test_allocations()
            unsafe memory.initialize(to: object.transform())
            #expect(test_allocations() == before)
            unsafe words = UnsafeMutableRawPointer(memory).load(as: ClosureWords.self)
            unsafe memory.deallocate()
            #expect(words.code != 0 && captures(words) == CompilerAssumptionTests.address(of: object))
            #expect(call(words, 3) == 3)
            #expect(object.received.value == 3)
        }
        #expect(leaks.count == 1)
        words.release()
        #expect(leaks.count == 0 && words.code == 0 && captures(words) == 0)
    }

    @Test func `The captures of any other closure are an object of their own, whose release releases them`() {
        let leaks = LeakCounter()
        var words = ClosureWords()
        do {
            let (first, second) = (Receiving.make(leaks), Receiving.make(leaks))
            words = wordsOf(first.transform(and: second))
            #expect(call(words, 2) == 2)
            #expect(first.received.value == 2 && second.received.value == 2)
            let own = [CompilerAssumptionTests.address(of: first), CompilerAssumptionTests.address(of: second), 0]
            #expect(!own.contains(captures(words)))
        }
        #expect(leaks.count == 2)
        words.release()
        #expect(leaks.count == 0)
    }

    @Test func `Two references to the same captures are released at once, exactly two`() {
        let leaks = LeakCounter()
        let reference = unsafe Unmanaged<AnyObject>.passRetained(Receiving.make(leaks))
        _ = unsafe reference.retain().retain()
        var words = ClosureWords()
        unsafe words.captures = reference
        ClosureWords.release(words, words)
        #expect(leaks.count == 1)
        ClosureWords.release(words, ClosureWords())
        #expect(leaks.count == 0)
    }

    @Test func `An input stores a closure of another type behind its first one`() {
        let leaks = LeakCounter()
        do {
            let object = Receiving.make(leaks)
            let input = makeInput(object)
            let properties = unsafe _getUnsafePointerToStoredProperties(input)
            let first = unsafe properties.load(as: ClosureWords.self)
            let second = unsafe properties.load(fromByteOffset: 16, as: ClosureWords.self)
            let address = CompilerAssumptionTests.address(of: object)
            #expect(captures(first) == address && captures(second) == address && first.code != second.code)
            input.send(value: 1)
            #expect(object.received.value == 1)
            #expect(input.trySend(value: 20))
            #expect(object.received.value == 21)
            input.send(error: .first)
            #expect(object.received.value == 321)
        }
        #expect(leaks.count == 0)
    }

    @inline(never)
    private func makeInput(_ object: Receiving) -> Signal<Int, TestError>.Input {
        Signal<Int, TestError>.Input(value: { object.receive($0) }) { request in
            switch request {
            case .send(let value, _): object.receive(value)
            case .terminate(.failed(.first)): object.receive(300)
            case .terminate: break
            }
            return .sent
        }
    }

    #if !NaiveLocks
        @Test func `An observer of any types is six words, and is released without its types`() {
            #expect(MemoryLayout<ErasedSlot>.size == 48 && MemoryLayout<ObserverSlot<String, TestError>>.size == 48)
            #expect(MemoryLayout<ObserverList.Storage>.size == 48)
            let leaks = LeakCounter()
            let slot = UnsafeMutablePointer<ErasedSlot>.allocate(capacity: 1)
            do {
                let object = Receiving.make(leaks)
                let other = Marked(leaks.token())
                let observation = unsafe Unmanaged<ObserverMark>.passRetained(other)
                unsafe ObserverSlot<Int, TestError>.at(slot).initialize(
                    to: ObserverSlot(id: 5, sink: object.sink(), observation: observation))
                let (own, others) = (
                    CompilerAssumptionTests.address(of: object), CompilerAssumptionTests.address(of: other)
                )
                let words = UnsafeRawPointer(slot)
                #expect(unsafe words.load(as: UInt.self) == 5)
                #expect(unsafe captures(words.load(fromByteOffset: 8, as: ClosureWords.self)) == own)
                #expect(unsafe captures(words.load(fromByteOffset: 24, as: ClosureWords.self)) == own)
                #expect(unsafe words.load(fromByteOffset: 40, as: UInt.self) == others)
                unsafe ObserverSlot<Int, TestError>.at(slot).pointee.onTermination(.completed)
                #expect(object.received.value == 10)
            }
            #expect(leaks.count == 2)
            unsafe slot.deinitialize(count: 1)
            #expect(leaks.count == 0)
            unsafe slot.deallocate()
        }
    #else
        @Test func `An observer of any types has the same layout`() {
            #expect(MemoryLayout<ErasedSlot>.size == MemoryLayout<ObserverSlot<String, TestError>>.size)
            let leaks = LeakCounter()
            do {
                let object = Receiving.make(leaks)
                let mark = ObserverMark()
                let slot = ObserverSlot<Int, TestError>(id: 5, sink: object.sink(), observation: mark)
                let slots = unsafe [unsafeBitCast(slot, to: ErasedSlot.self)]
                #expect(slots[0].id == 5 && slots[0].observation === mark)
                unsafe unsafeBitCast(slots[0], to: ObserverSlot<Int, TestError>.self).sink.onValue(3)
                #expect(object.received.value == 3)
            }
            #expect(leaks.count == 0)
        }
    #endif
}
