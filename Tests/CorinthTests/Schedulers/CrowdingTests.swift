import CCorinth
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// Serialized: a spinning thread takes the processor from others.
@Suite("Threads that sleep instead of spinning if other threads take their processor", .serialized)
struct CrowdingTests {
    private static let start: UInt64 = 1_000_000_000_000

    @Test func `A thread that isn't interrupted never sleeps`() {
        var crowding = Crowding()
        crowding.begin(at: Self.start)
        for step in 1...1_000 {
            let now = Self.start + UInt64(step) * Cooldown.interruption
            crowding.check(at: now)
            #expect(!crowding.isCrowded(at: now))
        }
    }

    @Test func `The time before it begins to spin doesn't count, nor does a clock that goes back`() {
        var crowding = Crowding()
        #expect(!crowding.isCrowded(at: Self.start))
        crowding.begin(at: Self.start)
        crowding.check(at: Self.start - 1_000_000)
        crowding.begin(at: Self.start + 10 * Cooldown.interruption)
        crowding.check(at: Self.start + 10 * Cooldown.interruption + 1)
        #expect(!crowding.isCrowded(at: Self.start + 10 * Cooldown.interruption + 1))
    }

    @Test func `A thread that is crowded out again and again sleeps twice as long each time, up to a limit`() {
        var crowding = Crowding()
        var now = Self.start
        var expected = Cooldown.shortest
        for _ in 0..<20 {
            crowding.begin(at: now)
            now += Cooldown.interruption + 1
            crowding.check(at: now)
            #expect(crowding.isCrowded(at: now + expected - 1))
            now += expected
            #expect(!crowding.isCrowded(at: now))
            expected = min(2 * expected, Cooldown.longest)
        }
        #expect(expected == Cooldown.longest)
    }

    @Test func `A thread that has spun undisturbed for as long as it slept sleeps briefly again`() {
        var crowding = Crowding()
        var now = Self.start
        for _ in 0..<10 {
            crowding.begin(at: now)
            now += Cooldown.interruption + 1
            crowding.check(at: now)
            while crowding.isCrowded(at: now) { now += Cooldown.shortest }
        }
        now += Cooldown.longest
        crowding.begin(at: now)
        now += Cooldown.interruption + 1
        crowding.check(at: now)
        #expect(crowding.isCrowded(at: now + Cooldown.shortest - 1))
        #expect(!crowding.isCrowded(at: now + Cooldown.shortest))
    }

    // MARK: Spinning in vain

    /// Spins to the limit and yields; the yield takes `taken` nanoseconds, and then there is work.
    private static func yieldInVain(_ crowding: inout Crowding, _ now: inout UInt64, taking taken: UInt64) {
        crowding.begin(at: now)
        now += 20_000
        crowding.check(at: now)
        now += taken
        crowding.findAfterYield(at: now)
    }

    @Test func `A thread whose work comes only after it has yielded yields early for a while, then tries again`() {
        var crowding = Crowding()
        var now = Self.start
        var expected = Cooldown.shortest
        for round in 0..<10 {
            for _ in 0..<(round == 0 ? Crowding.mostVain : Crowding.mostVainAgain) {
                #expect(!crowding.isSharing(at: now))
                Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield + 1)
            }
            let end = now + expected
            // What it does meanwhile doesn't prolong that: it doesn't spin.
            for _ in 0..<10 { Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield + 1) }
            #expect(crowding.isSharing(at: end - 1) && !crowding.isSharing(at: end))
            now = end
            expected = min(2 * expected, Cooldown.longest)
        }
        #expect(!crowding.isCrowded(at: now))
        // After a while without that, it begins anew.
        now += Cooldown.longest + 1
        for _ in 1..<Crowding.mostVain { Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield + 1) }
        #expect(!crowding.isSharing(at: now))
        Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield + 1)
        #expect(!crowding.isSharing(at: now + Cooldown.shortest))
        #expect(crowding.isSharing(at: now + Cooldown.shortest - 1))
    }

    @Test func `A yield during which no other thread ran is no sign, nor is work that comes while the thread spins`() {
        var crowding = Crowding()
        var now = Self.start
        for round in 0..<100 {
            Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield)
            #expect(!crowding.isSharing(at: now))
            if round.isMultiple(of: Crowding.mostVain) { crowding.succeed() }
            Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield)
        }
        for _ in 0..<100 {
            for _ in 1..<Crowding.mostVain {
                Self.yieldInVain(&crowding, &now, taking: Crowding.longestYield + 1)
            }
            crowding.succeed()
        }
        #expect(!crowding.isSharing(at: now))
    }

    @Test func `A thread that has spun in vain and is woken soon after it sleeps, sleeps early for a while`() {
        var crowding = Crowding()
        var now = Self.start
        func wait(sleeping slept: UInt64, hasSpun: Bool) {
            crowding.begin(at: now)
            now += 20_000
            crowding.check(at: now)
            now += slept
            crowding.wake(at: now, hasSpun: hasSpun)
        }
        for _ in 0..<100 { wait(sleeping: Cooldown.interruption + 1, hasSpun: true) }
        // A sleep isn't an interruption.
        #expect(!crowding.isSharing(at: now) && !crowding.isCrowded(at: now))
        for _ in 0..<Crowding.mostVain { wait(sleeping: 5_000, hasSpun: false) }
        #expect(!crowding.isSharing(at: now))
        for _ in 0..<Crowding.mostVain { wait(sleeping: 5_000, hasSpun: true) }
        #expect(crowding.isSharing(at: now))
        #expect(!crowding.isSharing(at: now + Cooldown.shortest))
    }

    #if os(Linux)
        /// How often the calling thread has given up the processor to wait. A yield doesn't count.
        private static var sleeps: Int {
            let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }

        @Test(arguments: [WaitStrategy.spinThenYield, .spinThenPark])
        func `Beside a thread that never leaves the processor, a spinning one sleeps; each action still wakes it`(
            waiting: WaitStrategy
        ) throws {
            let processor = try #require((0..<1024).first { ccorinth_may_use(Int32($0)) })
            let neighbour = ThreadScheduler(name: "neighbour", waiting: .busySpin, affinity: processor)
            let scheduler = ThreadScheduler(name: "crowded", waiting: waiting, affinity: processor)
            let answered = DispatchSemaphore(value: 0)
            let sleeps = Atomic(0)
            var rounds = 0
            // It spins again from time to time. Without the neighbour, a thread that yields would never sleep.
            while sleeps.value < 50, rounds < 2_000 {
                scheduler.schedule {
                    sleeps.value = Self.sleeps
                    answered.signal()
                }
                answered.wait()
                rounds += 1
                // Time for the thread to find nothing to do.
                usleep(500)
            }
            #expect(sleeps.value >= 50, "after \(rounds) actions")
            withExtendedLifetime(neighbour) {}
        }

        @Test(arguments: [WaitStrategy.spinThenYield, .spinThenPark])
        func `Two threads on one processor that wait for each other soon spin only briefly`(waiting: WaitStrategy)
            throws
        {
            let processor = try #require((0..<1024).first { ccorinth_may_use(Int32($0)) })
            let ping = ThreadScheduler(name: "ping", waiting: waiting, affinity: processor)
            let pong = ThreadScheduler(name: "pong", waiting: waiting, affinity: processor)
            let hasEnded = DispatchSemaphore(value: 0)
            let spinsBriefly = Atomic(false)
            @Sendable func serve(_ left: Int) {
                ping.schedule {
                    pong.schedule {
                        let now = MonotonicTime.now
                        let crowding = pong.loop.crowding
                        // Where other programs interrupt the threads, they are crowded.
                        if crowding.isSharing(at: now) || crowding.isCrowded(at: now) { spinsBriefly.value = true }
                        if spinsBriefly.value || left == 0 { hasEnded.signal() } else { serve(left - 1) }
                    }
                }
            }
            serve(100_000)
            hasEnded.wait()
            #expect(spinsBriefly.value)
        }
    #endif
}
