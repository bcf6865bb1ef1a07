import CFaults
import Corinth
import Foundation

/// The owner of a strand is stopped by a signal: in a callback, or anywhere.
enum StoppedOwner {
    static let senders = 4
    static let values = 4_000  // of each; the inbox has places for all

    typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

    /// Stops a thread inside a callback of `pipe`. The callback returns when `isReleased` is set.
    static func stopInCallback(of pipe: Pipe, isReleased: Atomic<Bool>) -> FaultThread? {
        let isInside = Atomic(false)
        pipe.output.observeValues { value in
            guard value < 0 else { return }
            isInside.value = true
            while !isReleased.value {}
        }
        let owner = FaultThread { pipe.input.send(value: -1) }
        guard let owner, eventually({ isInside.value }), owner.stop() else { return nil }
        return owner
    }

    /// Sends from several threads. Returns them, and how long each send took.
    static func send(through pipe: Pipe, counting sent: Counter) -> (threads: [FaultThread], durations: () -> [UInt64])
    {
        let all = Atomic<[UInt64]>([])
        let threads = FaultThread.group(senders) { index in
            var durations: [UInt64] = []
            durations.reserveCapacity(values)
            for number in 0..<values {
                let begun = faults_now()
                pipe.input.send(value: index * values + number)
                durations.append(faults_now() - begun)
                sent.add()
            }
            let mine = durations
            all.modify { $0 += mine }
        }
        return (threads, { all.value.sorted() })
    }

    /// Checks that each sender's values are complete and in order.
    static func areInOrder(_ received: [Int]) -> Bool {
        (0..<senders).allSatisfy { index in
            received.filter { $0 >= 0 && $0 / values == index } == Array(index * values..<(index + 1) * values)
        }
    }

    static func percentile(_ durations: [UInt64]) -> String {
        guard let last = durations.last else { return "no send has returned" }
        return "p99.9 \(formatted(durations[durations.count * 999 / 1_000])), longest \(formatted(last))"
    }

    static func forAWhile() {
        let pipe: Pipe = Signal.pipe()
        let received = Atomic<[Int]>([])
        pipe.output.observeValues { value in received.modify { $0.append(value) } }
        let isReleased = Atomic(false)
        guard let owner = stopInCallback(of: pipe, isReleased: isReleased) else {
            return Report.row("E5", "a thread is stopped", false, "it isn't")
        }
        let sent = Counter()
        let sending = send(through: pipe, counting: sent)
        usleep(100_000)
        // On a loaded machine, the senders may need longer to be done.
        let areDone = eventually(within: Report.isNaive ? 1 : 30) { sending.threads.allSatisfy(\.isFinished) }
        let during = sent.value
        // On mutexes, it may have stopped while it held that of the flag.
        FaultThread.resume()
        isReleased.value = true
        let isComplete = eventually { received.value.count == senders * values + 1 }
        owner.join()
        for thread in sending.threads { thread.join() }
        Report.row(
            "E5", "sends return while the thread that delivers is stopped for 100 ms",
            Report.isNaive ? nil : areDone && during == senders * values,
            "\(during) of \(senders * values) sends returned; \(percentile(sending.durations()))")
        Report.row(
            "E4", "afterwards, every value arrives, each sender's in order", isComplete && areInOrder(received.value),
            "\(received.value.count - 1) of \(senders * values) arrived")
    }

    static func forEver() {
        let pipe: Pipe = Signal.pipe()
        let isReleased = Atomic(false)
        let extra = pipe.output.observeValues { _ in }
        guard stopInCallback(of: pipe, isReleased: isReleased) != nil else {
            return Report.row("E5", "a thread is stopped", false, "it isn't")
        }
        let sent = Counter()
        let sending = send(through: pipe, counting: sent)
        let areDone = eventually(within: Report.isNaive ? 1 : 30) { sending.threads.allSatisfy(\.isFinished) }
        Report.row(
            "E5", "sends return while the thread that delivers is stopped for ever", Report.isNaive ? nil : areDone,
            "\(sent.value) of \(senders * values) sends returned; \(percentile(areDone ? sending.durations() : []))")

        // The places that are left: the inbox has 16,384. A value beyond is refused, or waits for the stall timeout.
        let refused = Atomic(-1)
        let edits = Counter()
        let others = FaultThread {
            var number = 0
            while number < 20_000, pipe.input.trySend(value: number) { number += 1 }
            refused.value = number
        }
        let editor = FaultThread {
            extra?.dispose()
            edits.add()
            pipe.output.map { $0 + 1 }.observeValues { _ in }
            edits.add()
            SignalProducer<Int, Never>([1, 2, 3]).start(pipe.input).dispose()
            edits.add()
            pipe.input.sendInterrupted()
            edits.add()
        }
        let isRefused = eventually(within: Report.isNaive ? 1 : 30) { others?.isFinished == true }
        Report.row(
            "X2", "trySend doesn't wait, and is refused when 16,384 events wait",
            Report.isNaive ? nil : isRefused && refused.value <= 384,
            isRefused ? "refused after \(refused.value) more" : "it waits")
        let areEdited = eventually(within: Report.isNaive ? 1 : 30) { editor?.isFinished == true }
        Report.row(
            "E5", "observing, disposing, starting and ending don't wait", Report.isNaive ? nil : areEdited,
            "\(edits.value) of 4 returned")
    }

    /// A thread repeats one call and is stopped wherever it is, again and again. Each time, two others do something, for which they
    /// must not need it.
    ///
    /// - Parameters:
    ///   - wait: How long the others may take, in seconds.
    ///   - others: Runs on each of the two.
    /// - Returns: How often it was stopped, and how often the others waited; nil if there is no such thread.
    private static func stopAgainAndAgain(
        rounds: Int, repeating call: @escaping @Sendable () -> Void, within wait: Int,
        while others: @escaping @Sendable () -> Void
    ) -> (stops: Int, waits: Int)? {
        let own = Counter()
        let isOver = Atomic(false)
        let owner = FaultThread {
            while !isOver.value {
                call()
                own.add()
            }
        }
        guard let owner else { return nil }
        var (stops, waits) = (0, 0)
        for round in 0..<rounds {
            // It has been going since it was last stopped.
            let before = own.value
            _ = eventually { own.value > before }
            for _ in 0..<(round * 7919 % 5_000) { _ = faults_now() }
            guard owner.stop() else { continue }
            stops += 1
            let threads = FaultThread.group(2) { _ in others() }
            if !eventually(within: wait, { threads.allSatisfy(\.isFinished) }) { waits += 1 }
            FaultThread.resume()
            for thread in threads { thread.join() }
            if waits > 3 { break }
        }
        isOver.value = true
        owner.join()
        return (stops, waits)
    }

    /// A thread sends in a loop, and is stopped wherever it is; others must not need it.
    static func anywhere(rounds: Int) {
        let hop = QueueScheduler(name: "behind")
        let pipe: Pipe = Signal.pipe()
        let (seen, hopped, sent) = (Counter(), Counter(), Counter())
        pipe.output.map { $0 + 1 }.filter { $0 > 0 }.observeValues { _ in seen.add() }
        pipe.output.observe(on: hop, bufferingPolicy: .unbounded).observeValues { _ in hopped.add() }
        let send: @Sendable () -> Void = {
            pipe.input.send(value: 1)
            sent.add()
        }
        let counts = stopAgainAndAgain(rounds: rounds, repeating: send, within: Report.isNaive ? 1 : 10) {
            for _ in 0..<50 { send() }
        }
        guard let counts else { return Report.row("E5", "a thread is stopped", false, "it isn't") }
        Report.row(
            "E5", "sends return while a thread is stopped that sends, wherever it is",
            Report.isNaive ? nil : counts.waits == 0 && counts.stops > rounds / 2,
            "stopped \(counts.stops) times; others waited \(counts.waits) times")
        let isComplete = eventually { seen.value == sent.value && hopped.value == sent.value }
        Report.row(
            "E4, C3", "afterwards, every value has arrived, behind a hop, too", isComplete,
            "\(sent.value) sent, \(seen.value) and \(hopped.value) arrived")
    }

    /// A thread schedules delayed work in a loop, and is stopped wherever it is; others that schedule and cancel must not need it.
    static func timers(rounds: Int) {
        // All entries are in one wheel.
        let scheduler = QueueScheduler(name: "timers")
        let (ran, sent) = (Counter(), Counter())
        let cancel: @Sendable () -> Void = { scheduler.schedule(after: Date() + 3_600) {}?.dispose() }
        let counts = stopAgainAndAgain(rounds: rounds, repeating: cancel, within: 10) {
            for _ in 0..<50 {
                scheduler.schedule(after: Date() + 0.001) { ran.add() }
                cancel()
                sent.add()
            }
        }
        guard let counts else { return Report.row("X2b", "a thread is stopped", false, "it isn't") }
        Report.row(
            "X2b", "delayed work is scheduled and cancelled while a thread is stopped that does this, wherever it is",
            counts.waits == 0 && counts.stops > rounds / 2,
            "stopped \(counts.stops) times; others waited \(counts.waits) times")
        let isComplete = eventually { ran.value == sent.value }
        Report.row("C1", "afterwards, all of it has run", isComplete, "\(sent.value) scheduled, \(ran.value) ran")
    }
}
