import Foundation
import Testing

@testable import Corinth

/// On one thread, which posts and takes: what a ring is, whatever it is made of.
struct RingTests {
    @Test(arguments: [true, false])
    func firstInFirstOut(isForOne: Bool) {
        let ring = Ring<Int>(capacity: 4, isForOne: isForOne, isParking: true)
        var next = 0
        for round in 0..<20 {
            for value in 0..<4 { ring.post(4 * round + value, mayWait: false) }
            #expect(!ring.isDrained)
            while let value = ring.take() {
                #expect(value == next)
                next += 1
            }
            #expect(ring.isDrained)
        }
        #expect(next == 80)
    }

    /// What goes past the bound is followed by what is posted when there is room again.
    @Test(arguments: [true, false])
    func pastTheBound(isForOne: Bool) {
        let ring = Ring<Int>(capacity: 2, isForOne: isForOne, isParking: true)
        for value in 0..<5 { ring.post(value, mayWait: false) }
        #expect(ring.take() == 0)
        #expect(ring.take() == 1)
        for value in 5..<8 { ring.post(value, mayWait: false) }
        #expect((2..<8).map { _ in ring.take() } == [2, 3, 4, 5, 6, 7])
        #expect(ring.take() == nil)
    }

    /// What the taking thread posts comes after what is there, and before what comes later.
    @Test(arguments: [true, false])
    func byTaker(isForOne: Bool) {
        let ring = Ring<Int>(capacity: 2, isForOne: isForOne, isParking: true)
        for value in 0..<3 { ring.post(value, mayWait: false) }
        ring.postByTaker(3)
        #expect(ring.take() == 0)
        ring.post(4, mayWait: false)
        ring.postByTaker(5)
        #expect((1..<6).map { _ in ring.take() } == [1, 2, 3, 4, 5])
        #expect(ring.take() == nil)
        #expect(ring.isDrained)
    }

    @Test(arguments: [(1, 2), (2, 2), (3, 4), (1000, 1024), (1024, 1024)])
    func capacity(asked: Int, got: UInt64) {
        #expect(Ring<Int>(capacity: asked, isForOne: false, isParking: false).capacity == got)
    }

    /// What nobody takes is released with the ring.
    @Test func release() {
        let live = Live()
        var ring: Ring<Live.Token>? = Ring(capacity: 2, isForOne: false, isParking: true)
        for _ in 0..<5 { ring?.post(live.token(), mayWait: false) }
        ring?.postByTaker(live.token())
        _ = ring?.take()
        #expect(live.count == 5)
        ring = nil
        #expect(live.count == 0)
    }

    @Test func elementsOfAnySize() {
        let ring = Ring<(UInt8, SIMD4<Float>, String)>(capacity: 2, isForOne: false, isParking: true)
        for number in 0..<5 { ring.post((UInt8(number), SIMD4(repeating: Float(number)), "\(number)"), mayWait: false) }
        for number in 0..<5 {
            let element = ring.take()
            #expect(element?.0 == UInt8(number))
            #expect(element?.1 == SIMD4(repeating: Float(number)))
            #expect(element?.2 == "\(number)")
        }
    }

    /// A signal that comes before the wait, or a post, and there is no wait.
    @Test func signals() {
        let ring = Ring<Int>(capacity: 2, isForOne: false, isParking: true)
        let signals = ring.signals
        ring.signal()
        ring.blockingWait(unlessSignalledSince: signals, until: nil)
        #expect(ring.signals != signals)
        ring.post(1, mayWait: false)
        ring.blockingWait(unlessSignalledSince: ring.signals, until: nil)
        #expect(ring.take() == 1)
        // A time that has passed isn't waited for, either.
        ring.blockingWait(unlessSignalledSince: ring.signals, until: 1)
    }

    /// Threads that wait for room, and one that takes everything.
    @Test func manyThreads() {
        Stress.repeated {
            let ring = Ring<Letter>(capacity: 4, isForOne: false, isParking: true)
            let ledger = Ledger(senders: 3)
            Crew.run(4) { index in
                if index < 3 {
                    for number in 0..<500 { ring.post(Letter(sender: index, number: number), mayWait: true) }
                } else {
                    while ledger.count < 1_500 {
                        let signals = ring.signals
                        if let letter = ring.take() {
                            ledger.receive(.value(letter))
                        } else {
                            ring.blockingWait(unlessSignalledSince: signals, until: nil)
                        }
                    }
                }
            }
            #expect(ledger.isInOrder)
            #expect(ring.isDrained)
        }
    }

    @Test func capacityIsAtLeastOne() async {
        await #expect(processExitsWith: .failure) {
            _ = Ring<Int>(capacity: 0, isForOne: false, isParking: false)
        }
    }

    #if !NaiveLocks
        /// A thread has claimed a place, and was interrupted before it filled it. Whoever discards the rest waits for that, and
        /// sleeps.
        @Test(arguments: [true, false])
        func interruptedPost(isParking: Bool) {
            let ring = Ring<Int>(capacity: 4, isForOne: false, isParking: isParking)
            ring.post(1, mayWait: false)
            // As if it claimed the next place.
            let tail = AtomicWord(of: ring)
            tail.fetchAdd(1, .relaxed)
            let ended = Flag()
            Crew.run([
                {
                    ring.discard()
                    ended.raise()
                },
                {
                    // Whether it spins or sleeps by now, it can't be through.
                    usleep(20_000)
                    #expect(!ended.isRaised)
                    // As if it had never come.
                    tail.fetchSubtract(1, .sequential)
                    ring.signal()
                },
            ])
            #expect(ring.isDrained)
        }
    #endif
}
