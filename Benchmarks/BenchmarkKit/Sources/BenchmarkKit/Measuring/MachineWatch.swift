import CBenchmarkSupport
import Foundation

/// How the machine disturbs a sample.
public enum Disturbance: String, Codable, Sendable {
    /// The kernel gave the processor to another process.
    case descheduled
    /// The hypervisor gave the processor to another virtual machine.
    case steal
    /// The speed of the machine changed: a loop that never changes took longer, or less long, after the run than before.
    case speed
}

/// Watches what the machine does during a sample. It doesn't look at the sample's time, so to repeat what it reports doesn't
/// prefer a result.
struct MachineWatch {
    /// The time of the loop before the sample, in nanoseconds.
    let loop: Double
    private let time: UInt64
    private let processor: UInt64
    private let switches: UInt64?
    private let stolen: Int?

    /// The part of a sample without the processor from which it counts as descheduled. A shorter one is within the noise.
    static let toleratedLoss = 0.03

    /// The change of the loop's time from which the speed has changed: 0.1 is a factor of 1.1.
    static let toleratedChange = 0.1

    init() {
        loop = Self.timeLoop()
        stolen = Self.stolenTicks()
        switches = Self.involuntarySwitches()
        processor = bench_process_nanoseconds()
        time = Clock.now()
    }

    /// The part of the time since the watch began that the process had no processor: because the hypervisor took it away, or
    /// because the kernel gave it to another process.
    ///
    /// - Parameter countsDescheduling: Whether the kernel's switches count. They don't with threads, where they are a part of
    ///   the scenario, and where processor time is measured, which they don't change.
    private func lostShare(countsDescheduling: Bool, stolenTicks: Int) -> Double {
        let taken = Double(Clock.now() - time)
        let used = Double(bench_process_nanoseconds() - processor)
        // A tick is 10 ms. Of several processors, this one had at most all of the stolen time.
        let stolen = min(0.9, Double(stolenTicks) * 1e7 / taken)
        // A scenario that sleeps gives the processor up itself. Then the kernel counts no involuntary switch.
        let isDescheduled = countsDescheduling && Self.involuntarySwitches() != switches
        return max(stolen, isDescheduled ? 1 - used / taken : 0)
    }

    /// How the machine has disturbed the process since the watch began, or nil if it hasn't, and the part of the time that it took
    /// away.
    func end(countsDescheduling: Bool) -> (disturbance: Disturbance?, lost: Double) {
        let now = Self.stolenTicks() ?? 0
        let ticks = now - (stolen ?? now)
        let lost = lostShare(countsDescheduling: countsDescheduling, stolenTicks: ticks)
        return (Self.disturbance(lost: lost, stolenTicks: ticks, loops: [loop, Self.timeLoop()]), lost)
    }

    static func disturbance(lost: Double, stolenTicks: Int, loops: [Double]) -> Disturbance? {
        if stolenTicks > 0 { return .steal }
        if lost > toleratedLoss { return .descheduled }
        return hasChanged(loops) ? .speed : nil
    }

    /// Whether times of the loop differ by more than is tolerated.
    static func hasChanged(_ loops: [Double]) -> Bool {
        guard let least = loops.min(), let most = loops.max() else { return false }
        return most > least * (1 + toleratedChange)
    }

    /// The time of a loop that never changes: the shortest of five tries, 0.2 ms in all, so that an interruption doesn't
    /// count.
    private static func timeLoop() -> Double {
        let tries = (0..<5).map { _ in Clock.measure { bench_spin(100_000) } }
        return Double(tries.min() ?? 0)
    }

    private static func involuntarySwitches() -> UInt64? {
        let count = bench_involuntary_switches()
        return count.available ? count.value : nil
    }

    private static func stolenTicks() -> Int? {
        FileManager.default.contents(atPath: "/proc/stat").flatMap {
            stolenTicks(in: String(decoding: $0, as: UTF8.self))
        }
    }

    /// The eighth count of the line `cpu` of `/proc/stat`: the time of all processors that the hypervisor gave to others, in
    /// ticks of 10 ms.
    static func stolenTicks(in text: String) -> Int? {
        let counts = text.prefix { $0 != "\n" }.split(separator: " ")
        return counts.count > 8 && counts[0] == "cpu" ? Int(counts[8]) : nil
    }
}
