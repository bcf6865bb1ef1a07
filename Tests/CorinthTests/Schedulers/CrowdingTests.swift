import CCorinth
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// Serialized: a spinning thread takes the processor from others.
@Suite("Threads that sleep instead of spinning if other threads take their processor", .serialized)
struct CrowdingTests {
    private static let start: UInt64 = 1_000_000_000_000

    @Test("A thread that isn't interrupted never sleeps")
    func undisturbed() {
        var crowding = Crowding()
        crowding.begin(at: Self.start)
        for step in 1...1_000 {
            let now = Self.start + UInt64(step) * Crowding.longest
            crowding.check(at: now)
            #expect(!crowding.isCrowded(at: now))
        }
    }

    @Test("The time before it begins to spin doesn't count, nor does a clock that goes back")
    func begins() {
        var crowding = Crowding()
        #expect(!crowding.isCrowded(at: Self.start))
        crowding.begin(at: Self.start)
        crowding.check(at: Self.start - 1_000_000)
        crowding.begin(at: Self.start + 10 * Crowding.longest)
        crowding.check(at: Self.start + 10 * Crowding.longest + 1)
        #expect(!crowding.isCrowded(at: Self.start + 10 * Crowding.longest + 1))
    }

    @Test("A thread that is crowded out again and again sleeps twice as long each time, up to a limit")
    func doubles() {
        var crowding = Crowding()
        var now = Self.start
        var expected = Crowding.shortestSleep
        for _ in 0..<20 {
            crowding.begin(at: now)
            now += Crowding.longest + 1
            crowding.check(at: now)
            #expect(crowding.isCrowded(at: now + expected - 1))
            now += expected
            #expect(!crowding.isCrowded(at: now))
            expected = min(2 * expected, Crowding.longestSleep)
        }
        #expect(expected == Crowding.longestSleep)
    }

    @Test("A thread that has spun undisturbed for as long as it slept sleeps briefly again")
    func forgets() {
        var crowding = Crowding()
        var now = Self.start
        for _ in 0..<10 {
            crowding.begin(at: now)
            now += Crowding.longest + 1
            crowding.check(at: now)
            while crowding.isCrowded(at: now) { now += Crowding.shortestSleep }
        }
        now += Crowding.longestSleep
        crowding.begin(at: now)
        now += Crowding.longest + 1
        crowding.check(at: now)
        #expect(crowding.isCrowded(at: now + Crowding.shortestSleep - 1))
        #expect(!crowding.isCrowded(at: now + Crowding.shortestSleep))
    }

    #if os(Linux)
        /// How often the calling thread has given up the processor to wait. A yield doesn't count.
        private static var sleeps: Int {
            let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }

        @Test(
            "Beside a thread that never leaves the processor, a spinning one sleeps; each action still wakes it",
            arguments: [WaitStrategy.spinThenYield, .spinThenPark])
        func sleeps(waiting: WaitStrategy) throws {
            let processor = try #require((0..<1024).first { corinth_may_use(Int32($0)) })
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
    #endif
}
