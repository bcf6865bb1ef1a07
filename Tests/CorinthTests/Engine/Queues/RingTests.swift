import Foundation
import Testing

@testable import Corinth

/// The ring's behaviour on a single thread that posts and takes. It is the same in both builds.
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

    /// Elements past the bound precede the elements that are posted when a cell is free again.
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

    /// An element that the taker posts follows the present elements and precedes later ones.
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

    /// Elements that are never taken are released with the ring.
    @Test func release() {
        let leaks = LeakCounter()
        var ring: Ring<LeakCounter.Token>? = Ring(capacity: 2, isForOne: false, isParking: true)
        for _ in 0..<5 { ring?.post(leaks.token(), mayWait: false) }
        ring?.postByTaker(leaks.token())
        _ = ring?.take()
        #expect(leaks.count == 5)
        ring = nil
        #expect(leaks.count == 0)
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

    /// After an earlier signal or post, the wait returns at once.
    @Test func signals() {
        let ring = Ring<Int>(capacity: 2, isForOne: false, isParking: true)
        let signals = ring.signals
        ring.signal()
        ring.blockingWait(unlessSignalledSince: signals, until: nil)
        #expect(ring.signals != signals)
        ring.post(1, mayWait: false)
        ring.blockingWait(unlessSignalledSince: ring.signals, until: nil)
        #expect(ring.take() == 1)
        // The wait also returns at once if the time has already passed.
        ring.blockingWait(unlessSignalledSince: ring.signals, until: 1)
    }

    /// Some threads wait for free cells, and one takes every element.
    @Test func manyThreads() {
        Stress.repeated {
            let ring = Ring<Letter>(capacity: 4, isForOne: false, isParking: true)
            let ledger = Ledger(senders: 3)
            ThreadGroup.run(4) { index in
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
        /// A thread has claimed a cell and was preempted before it filled it. A thread that discards the rest waits for that
        /// cell, and sleeps.
        @Test(arguments: [true, false])
        func interruptedPost(isParking: Bool) {
            let ring = Ring<Int>(capacity: 4, isForOne: false, isParking: isParking)
            ring.post(1, mayWait: false)
            // Simulates the claim of the next cell.
            ring.tail.fetchAdd(1, .relaxed)
            let ended = Flag()
            ThreadGroup.run([
                {
                    _ = ring.discard()
                    ended.raise()
                },
                {
                    // The discarding thread may spin or sleep by now, but it can't have finished.
                    usleep(20_000)
                    #expect(!ended.isRaised)
                    // Takes the claim back.
                    ring.tail.fetchSubtract(1, .sequential)
                    ring.signal()
                },
            ])
            #expect(ring.isDrained)
        }
    #endif
}
