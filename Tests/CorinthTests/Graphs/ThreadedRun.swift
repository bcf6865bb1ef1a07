#if !NaiveLocks
    import Corinth
    import CorinthTesting
    import Dispatch
    import Foundation

    /// A law that a case has broken.
    struct ThreadedViolation: Sendable, CustomStringConvertible {
        let law: Law
        let message: String

        var description: String { "\(law.rawValue): \(message)" }
    }

    /// Runs a case once, and judges what its observers received.
    final class ThreadedRun: @unchecked Sendable {  // See the fields.
        private let test: ThreadedCase
        private let fault: ThreadedFault?
        private let surroundings: ThreadedSurroundings

        /// Released before the leaks are counted. Nil afterwards.
        private let world: Atomic<ThreadedWorld?>
        private let leaks: LeakCounter
        private let stop = DispatchSemaphore(value: 0)

        /// The two observers that are there from the beginning, and the others.
        private var first: [ThreadedObserver] = []
        private let others = Atomic<[ThreadedObserver]>([])
        private var start: (any Disposable)?

        /// Advances with everything that happens. A run that stands still while it has something to do has stalled.
        private let progress = Counter()

        /// How many re-entrant sends are left for each source.
        private let resends = (0..<ThreadedCase.sources).map { _ in Atomic(0) }

        /// How many values each thread has sent to each source.
        private let sent: [[Counter]]

        /// A number is a sender times the unit plus the count of its values. A sender is a thread and a source.
        private static let unit = 10_000

        private init(_ test: ThreadedCase, _ fault: ThreadedFault?, _ surroundings: ThreadedSurroundings) {
            self.test = test
            self.fault = fault
            self.surroundings = surroundings
            let world = ThreadedWorld(test.graph, capacity: test.capacity, in: surroundings)
            self.world = Atomic(world)
            leaks = world.leaks
            sent = test.threads.map { _ in (0..<ThreadedCase.sources).map { _ in Counter() } }
        }

        /// Runs the case.
        ///
        /// - Parameters:
        ///   - limit: After how many tenths of a second without any progress a run counts as stalled.
        ///   - surroundings: What it shares with other cases.
        static func violation(
            of test: ThreadedCase, fault: ThreadedFault? = nil, stalledAfter limit: Int = 300,
            in surroundings: ThreadedSurroundings = .common
        ) -> ThreadedViolation? {
            let run = ThreadedRun(test, fault, surroundings)
            let violation = run.execute(stalledAfter: limit)
            // Lets the threads of a seeded stall end.
            for _ in 0..<1_000 { run.stop.signal() }
            return violation
        }

        // MARK: Running

        private func execute(stalledAfter limit: Int) -> ThreadedViolation? {
            begin()
            let threads = test.threads.indices.map { thread in { @Sendable in self.perform(thread) } }
            if let stalled = runAll(threads, limit) { return stalled }
            if let stalled = runAll([{ self.world.value?.complete() }], limit) { return stalled }
            // What the threads and schedulers still have to do ends the streams, if anything does.
            let mustEnd = test.isLossless
            let hasEnded = eventually(mustEnd ? limit : 1) { self.first.allSatisfy(\.log.hasEnded) }
            if mustEnd, !hasEnded {
                return ThreadedViolation(law: .ends, message: "all sources have completed, but the stream hasn't ended")
            }
            if let stalled = runAll([{ self.disposeOfAll() }], limit) { return stalled }
            if !eventually(limit, { self.first.allSatisfy(\.log.hasEnded) }) {
                return ThreadedViolation(
                    law: .interruption, message: "the start was disposed of, but its observers receive no end")
            }
            if let violation = judge() { return violation }
            let scheduler = world.value?.scheduler
            if let stalled = runAll([{ self.release() }], limit) { return stalled }
            // What real threads still do may schedule work for the virtual ones, which keep it until they run it.
            let isReleased = eventually(min(limit, 100)) {
                scheduler?.advance()
                return self.leaks.count == 0
            }
            if !isReleased {
                return ThreadedViolation(
                    law: .leaks, message: "\(leaks.count) values or closures are alive after everything was released")
            }
            if let scheduler { surroundings.ended.note(scheduler) }
            return nil
        }

        private func begin() {
            guard let world = world.value else { return }
            first = [true, false].map { makeObserver(isFirst: $0) }
            let first = first
            start = world.producer?.startWithSignal { signal, disposable in
                for observer in first { signal.observe { observer.receive($0) } }
                return disposable
            }
        }

        private func makeObserver(isFirst: Bool = false) -> ThreadedObserver {
            ThreadedObserver(isFirst: isFirst, fault, stop: stop) { [weak self, events = surroundings.events] event in
                events.increment()
                guard let self else { return }
                progress.increment()
                if event.value != nil { resend() }
            }
        }

        /// Sends from inside a callback, if a step wants it.
        private func resend() {
            for (source, left) in resends.enumerated() where left.value > 0 {
                let takes = left.modify { count in
                    count -= 1
                    return count >= 0
                }
                if takes { world.value?.send(.value(7), to: source) }
            }
        }

        private func perform(_ thread: Int) {
            guard let world = world.value else { return }
            let changes = surroundings.property.producer.startWithValues { [events = surroundings.events] _ in
                events.increment()
            }
            defer { changes.dispose() }
            var mine: [any Disposable] = []
            for step in test.threads[thread] {
                surroundings.use(thread)
                switch step {
                case .send(let count, let source):
                    for _ in 0..<count {
                        let sender = thread * ThreadedCase.sources + source + 1
                        world.send(.value(sender * Self.unit + sent[thread][source].increment()), to: source)
                        progress.increment()
                    }
                case .end(let ending, let source): world.send(ending.termination.map(\.number), to: source)
                case .resend(let count, let source): resends[source].value = count
                case .observe: if let observation = observe(world) { mine.append(observation) }
                case .dispose: (mine.popLast() ?? start)?.dispose()
                case .advance(let seconds): world.scheduler.advance(by: .seconds(seconds))
                }
                progress.increment()
            }
            for observation in mine { observation.dispose() }
        }

        private func observe(_ world: ThreadedWorld) -> (any Disposable)? {
            let observer = makeObserver()
            others.modify { $0.append(observer) }
            if let signal = world.signal { return signal.observe { observer.receive($0) } }
            return world.producer?.start { observer.receive($0) }
        }

        private func disposeOfAll() {
            for left in resends { left.value = 0 }
            start?.dispose()
            // An interruption may wait for the scheduler.
            world.value?.scheduler.advance(by: .seconds(50))
        }

        private func release() {
            start = nil
            world.value?.release()
            world.value = nil
        }

        // MARK: Waiting

        /// Runs the bodies on threads of their own. Returns a violation if they don't end and nothing moves any more. Then the
        /// threads are left alone.
        private func runAll(_ bodies: [@Sendable () -> Void], _ limit: Int) -> ThreadedViolation? {
            let ended = Counter()
            for body in bodies {
                let thread = Thread {
                    body()
                    ended.increment()
                }
                thread.stackSize = 1 << 20
                thread.start()
            }
            if eventually(limit, { ended.value == bodies.count }) { return nil }
            return ThreadedViolation(
                law: .reentrancy,
                message:
                    "\(bodies.count - ended.value) of \(bodies.count) threads don't return from a call, and no event is "
                    + "delivered")
        }

        /// Waits for a condition while there is progress, and for a time without.
        ///
        /// - Parameter limit: The time without progress, in tenths of a second.
        private func eventually(_ limit: Int, _ condition: () -> Bool) -> Bool {
            var seen = progress.value
            var since = ContinuousClock.now
            while !condition() {
                if progress.value != seen {
                    seen = progress.value
                    since = .now
                } else if ContinuousClock.now - since > .milliseconds(100 * limit) {
                    return condition()
                }
                Work.yield()
            }
            return true
        }

        // MARK: Judging

        private func judge() -> ThreadedViolation? {
            // An observer of a signal that was disposed of without an end may be in its last callback.
            for log in (first + others.value).map(\.log) where log.hasEnded {
                if !log.isWellFormed {
                    return ThreadedViolation(law: .grammar, message: "events after the end: \(log.events.suffix(10))")
                }
                if log.overlaps > 0 {
                    return ThreadedViolation(
                        law: .serial, message: "\(log.overlaps) callbacks overlapped or were nested")
                }
                if test.graph.keepsOrder, let message = disorder(log) {
                    return ThreadedViolation(law: .senderOrder, message: message)
                }
            }
            let logs = first.map(\.log)
            if logs[0].events != logs[1].events {
                return ThreadedViolation(
                    law: .agreement, message: "one observer: \(logs[0].events), another one: \(logs[1].events)")
            }
            return test.isLossless ? loss(logs[0]) : nil
        }

        private func disorder(_ log: EventLog) -> String? {
            var latest: [Int: Int] = [:]
            for case .value(let number) in log.events where number >= Self.unit {
                let (sender, index) = number.quotientAndRemainder(dividingBy: Self.unit)
                if let before = latest[sender], before > index {
                    return "sender \(sender)'s value \(index) came after its value \(before)"
                }
                latest[sender] = index
            }
            return nil
        }

        private func lost(_ log: EventLog) -> String? {
            var seen: Set<Int> = []
            for case .value(let number) in log.events { seen.insert(number) }
            let sources = Set(test.graph.sources)
            for (thread, counters) in sent.enumerated() {
                for (source, count) in counters.map(\.value).enumerated() where sources.contains(source) && count > 0 {
                    let sender = thread * ThreadedCase.sources + source + 1
                    let lost = (1...count).filter { !seen.contains(sender * Self.unit + $0) }
                    if !lost.isEmpty {
                        return "of \(count) values of sender \(sender), \(lost) are lost: \(log.events)"
                    }
                }
            }
            return nil
        }

        private func loss(_ log: EventLog) -> ThreadedViolation? {
            lost(log).map { ThreadedViolation(law: .ends, message: $0) }
        }
    }

    extension ThreadedCase {
        /// The smallest case that was found to break the same law. The threads race, so each smaller case gets some attempts.
        ///
        /// - Parameters:
        ///   - attempts: How often a case runs before it counts as right.
        ///   - budget: How many runs there are in all.
        func minimised(
            breaking law: Law, fault: ThreadedFault? = nil, attempts: Int = 5, budget: Int = 1_000,
            stalledAfter limit: Int = 300
        ) -> ThreadedCase {
            var smallest = self
            var left = budget
            func isBroken(_ test: ThreadedCase) -> Bool {
                for _ in 0..<attempts where left > 0 {
                    left -= 1
                    let violation = ThreadedRun.violation(of: test, fault: fault, stalledAfter: limit)
                    if violation?.law == law { return true }
                }
                return false
            }
            while let smaller = smallest.reductions.first(where: isBroken) { smallest = smaller }
            return smallest
        }
    }
#endif
