import CFaults
import Corinth
import Dispatch
import Foundation

/// Allocations that fail, and a process that may have little memory.
enum Memory {
    /// Runs this program with another case. Returns how it ended, and what it has printed. It is killed if it doesn't end.
    static func child(_ name: String) -> (ended: String, lines: [Substring]) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [name]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        do { try process.run() } catch { return ("it didn't start: \(error)", []) }
        let output = Atomic("")
        let reader = FaultThread {
            output.value = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let hasEnded = eventually(within: 60) { !process.isRunning }
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        reader?.join()
        let ended =
            !hasEnded
            ? "no end after 60 s"
            : process.terminationReason == .uncaughtSignal
                ? "signal \(process.terminationStatus)" : "status \(process.terminationStatus)"
        return (ended, output.value.split(separator: "\n"))
    }

    static func allocations() {
        fastPath()
        queue()
    }

    /// A stream that is in use.
    static func fastPath() {
        let (ended, lines) = child("fails-on-fast-path")
        let isKept = ended == "status 0" && lines.last == "1000 of 1000, 0 refused"
        Report.row(
            "X1", "with a memory that is full, values pass through a stream that is in use",
            Report.isNaive ? nil : isKept,
            "\(lines.last ?? "nothing"); ended with \(ended)")
    }

    static func failsOnFastPath() {
        let sum = Atomic(0)
        let (left, toLeft) = Signal<Int, Never>.pipe()
        let (right, toRight) = Signal<Int, Never>.pipe()
        Signal.merge([left.map { $0 + 1 }.filter { $0 > 0 }, right.scan(0) { $0 &+ $1 }]).observeValues { _ in
            sum.modify { $0 += 1 }
        }
        for number in 0..<100 { (number % 2 == 0 ? toLeft : toRight).send(value: number) }
        faults_set_allocations_fail(true)
        for number in 0..<1_000 { (number % 2 == 0 ? toLeft : toRight).send(value: number) }
        faults_set_allocations_fail(false)
        print("\(sum.value - 100) of 1000, \(faults_failed_allocations()) refused")
    }

    /// A value must be queued, and there is no memory for it.
    static func queue() {
        let (ended, lines) = child("fails-while-queueing")
        let last = lines.last.map(String.init) ?? "nothing"
        let isKept = ended.hasPrefix("signal") && lines.last?.hasPrefix("sending") == true
        Report.row(
            "Embedding", "an allocation that fails ends the process: no send returns whose value is lost", isKept,
            "ended with \(ended) at: \(last)")
    }

    static func failsWhileQueueing() {
        let (output, input) = Signal<Int, Never>.pipe()
        output.observeValues { value in
            guard value < 0 else { return }
            print("sending")
            fflush(nil)
            faults_set_allocations_fail(true)
            // Each is queued, because a callback sends it.
            for number in 0..<100_000 { input.send(value: number) }
            faults_set_allocations_fail(false)
            print("all returned")
        }
        input.send(value: -1)
        fflush(nil)
    }

    /// Two million values, of more bytes than the address space may grow by.
    static func limit() {
        let (ended, lines) = child("runs-under-limit")
        Report.row(
            "X2", "default bounds hold two million values of 288 bytes, of fast senders, to 256 MiB",
            Report.isNaive ? nil : ended == "status 0",
            "\(lines.last ?? "nothing"); ended with \(ended)")
        let (other, _) = child("exceeds-limit")
        Report.row(
            "Embedding", "a buffer without a bound that exceeds the limit of memory ends the process",
            // The build on mutexes calls Dispatch for each value. Where Dispatch can't allocate, it waits.
            Report.isNaive ? nil : other.hasPrefix("signal"),
            "ended with \(other)")
    }

    static func runsUnderLimit() {
        let hop = QueueScheduler(name: "slow")
        let (output, input) = Signal<[Int], Never>.pipe()
        let seen = Counter()
        output.observe(on: hop).observeValues { values in
            if values.reduce(0, &+) >= 0 { seen.add() }
        }
        input.send(value: [1])
        let isLimited = Atomic(false)
        let threads = FaultThread.group(4) { _ in
            var values = [0]
            values[0] = 1
            while !isLimited.value { usleep(1_000) }
            for number in 0..<500_000 { input.send(value: [Int](repeating: number, count: 32)) }
        }
        usleep(50_000)
        faults_begin_counting()
        guard faults_limit_memory(256 << 20) else {
            print("the limit can't be set")
            exit(2)
        }
        isLimited.value = true
        for thread in threads { thread.join() }
        let isComplete = eventually { seen.value == 2_000_001 }
        print("\(seen.value - 1) of 2000000 arrived, at most \(faults_most_bytes() >> 20) MiB in use")
        exit(isComplete ? 0 : 1)
    }

    static func exceedsLimit() {
        let queue = DispatchQueue(label: "silent")
        queue.suspend()
        let (output, input) = Signal<Int, Never>.pipe()
        output.observe(on: QueueScheduler(queue: queue), bufferingPolicy: .unbounded).observeValues { _ in }
        guard faults_limit_memory(256 << 20) else { exit(2) }
        for number in 0..<50_000_000 { input.send(value: number) }
        exit(0)
    }
}
