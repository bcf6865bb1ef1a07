import CorinthTesting
import Testing

@testable import CorinthNATS

/// What workers of a group make of each other's words, whatever is lost. No server is needed.
struct GroupStateTests {
    /// Workers, what they say to each other, and who may store each partition, at random: words are lost or late, workers come, die and
    /// are drained.
    private struct World {
        enum Word: Sendable {
            case has(Set<Int>)
            case gone
        }

        struct Message {
            let from: String
            let to: String
            let word: Word
        }

        /// A partition, while a worker has it.
        struct Run: Hashable, Sendable {
            let partition: Int
            let number: Int
        }

        struct Worker {
            var state: GroupState<Run>
            var runs: [Int: Run] = [:]
            /// Those that were asked to end.
            var releasing: Set<Run> = []
            var nextBeat: UInt64
        }

        static let heartbeat: UInt64 = 100

        let count: Int
        var random: SeededGenerator
        var workers: [String: Worker] = [:]
        /// In order for each pair.
        var messages: [Message] = []
        /// Who stores each partition: the last one that has taken it over.
        var stored: [Int: Run] = [:]
        var lastRun = 0
        var lastWorker = 0
        var now: UInt64 = 0
        /// Whether words are lost.
        var isBad = true
        var drained: [String] = []
        /// How many runs another worker has replaced.
        var replaced = 0

        init(seed: UInt64, partitions: Int) {
            random = SeededGenerator(seed: seed)
            count = partitions
        }

        var names: [String] { workers.keys.sorted() }

        mutating func join() {
            lastWorker += 1
            let name = "w\(lastWorker)"
            workers[name] = Worker(
                state: GroupState(id: name, count: count, heartbeat: World.heartbeat), nextBeat: now + World.heartbeat)
        }

        // MARK: A worker

        mutating func say(_ word: Word, as name: String) {
            for other in names where other != name {
                if isBad, Int.random(in: 0..<10, using: &random) == 0 { continue }
                messages.append(Message(from: name, to: other, word: word))
            }
        }

        mutating func tell(as name: String) {
            if let partitions = workers[name]?.state.announced { say(.has(Set(partitions)), as: name) }
        }

        mutating func beat(_ name: String) {
            tell(as: name)
            workers[name]?.state.beat(at: now, isConnected: !isBad || Int.random(in: 0..<10, using: &random) > 0)
            evaluate(name)
        }

        mutating func evaluate(_ name: String) {
            guard let (surplus, missing) = workers[name]?.state.evaluate(at: now) else { return }
            workers[name]?.releasing.formUnion(surplus)
            for partition in missing {
                lastRun += 1
                let run = Run(partition: partition, number: lastRun)
                stored[partition] = run
                workers[name]?.runs[partition] = run
                #expect(workers[name]?.state.add(run, for: partition) == true)
            }
            if !missing.isEmpty { tell(as: name) }
        }

        /// A run stores, or has been released.
        mutating func goOn(_ name: String, _ run: Run) {
            let isReplaced = stored[run.partition] != run
            guard isReplaced || workers[name]?.releasing.contains(run) == true else { return }
            if isReplaced { replaced += 1 }
            workers[name]?.releasing.remove(run)
            workers[name]?.runs[run.partition] = nil
            #expect(workers[name]?.state.remove(run.partition, pauses: isReplaced, at: now) == run)
            leaveIfDrained(name)
            tell(as: name)
            evaluate(name)
        }

        mutating func leaveIfDrained(_ name: String) {
            guard workers[name]?.state.hasDrained() != nil else { return }
            drained.append(name)
            say(.gone, as: name)
        }

        mutating func receive() {
            guard let pair = messages.randomElement(using: &random),
                let index = messages.firstIndex(where: { $0.from == pair.from && $0.to == pair.to })
            else { return }
            let message = messages.remove(at: index)
            switch message.word {
            case .gone: workers[message.to]?.state.forget(message.from)
            case .has(let partitions):
                guard let (isNew, isKnown) = workers[message.to]?.state.hear(message.from, partitions, at: now) else {
                    return
                }
                if isNew { tell(as: message.to) }
                if isKnown { return }
            }
            evaluate(message.to)
        }

        // MARK: The world

        mutating func drain(_ name: String) throws {
            let result = workers[name]?.state.drain {}
            let runs = try #require(result ?? nil)
            workers[name]?.releasing.formUnion(runs)
            leaveIfDrained(name)
        }

        /// A worker ends, with a word or without.
        mutating func end(_ name: String, says: Bool) throws {
            let end = workers[name]?.state.end()
            let (_, done) = try #require(end ?? nil)
            if done != nil { drained.append(name) }
            let again = workers[name]?.state.end()
            #expect((again ?? nil) == nil)
            #expect((workers[name]?.state.announced ?? nil) == nil)
            workers[name] = nil
            messages.removeAll { $0.to == name }
            if says { say(.gone, as: name) }
        }

        /// A tenth of a heartbeat.
        mutating func tick() {
            now += World.heartbeat / 10
            for name in names {
                guard let next = workers[name]?.nextBeat, next <= now else { continue }
                workers[name]?.nextBeat = next + World.heartbeat
                beat(name)
            }
            for name in names {
                for run in workers[name]?.runs.values.sorted(by: { $0.number < $1.number }) ?? [] {
                    if isBad, Bool.random(using: &random) { continue }
                    goOn(name, run)
                }
            }
            while !messages.isEmpty, !isBad || Int.random(in: 0..<10, using: &random) > 0 { receive() }
        }

        mutating func run(beats: Int) { for _ in 0..<beats * 10 { tick() } }

        /// Somebody comes or goes.
        mutating func change() throws {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where workers.count < 6: join()
            case 1 where workers.count > 1:
                try end(names.randomElement(using: &random)!, says: Bool.random(using: &random))
            default: break
            }
        }
    }

    @Test(arguments: [1, 5, 24])
    func `Each partition ends up with one worker, whatever is lost and whoever comes and goes`(count: Int) throws {
        for seed in 0..<40 as Range<UInt64> {
            var world = World(seed: seed, partitions: count)
            world.join()
            for _ in 0..<20 {
                try world.change()
                world.run(beats: 2)
            }
            world.isBad = false
            // Those that are gone are forgotten, and pauses are over.
            world.run(beats: 12)
            var owners: [Int: String] = [:]
            for (name, worker) in world.workers {
                #expect(worker.state.announced == worker.runs.keys.sorted())
                #expect(worker.runs.count <= (count + world.workers.count - 1) / world.workers.count)
                for partition in worker.runs.keys { #expect(owners.updateValue(name, forKey: partition) == nil) }
            }
            #expect(owners.count == count, "seed \(seed)")
            // Nothing moves any more.
            let lastRun = world.lastRun
            world.run(beats: 10)
            #expect(world.lastRun == lastRun, "seed \(seed)")
        }
    }

    @Test func `A worker that is drained gives all up, once, and the others have it within a heartbeat`() throws {
        for seed in 0..<40 as Range<UInt64> {
            var world = World(seed: seed, partitions: 12)
            for _ in 0..<3 { world.join() }
            world.run(beats: 10)
            world.isBad = false
            world.run(beats: 10)
            let name = world.names[Int(seed % 3)]
            #expect(world.workers[name]?.state.hasRuns == true)
            try world.drain(name)
            world.run(beats: 1)
            #expect(world.drained == [name])
            #expect(world.workers[name]?.runs.isEmpty == true)
            #expect((world.workers[name]?.state.announced ?? nil) == nil)
            for other in world.names where other != name { #expect(world.workers[other]?.runs.count == 6) }
            try world.end(name, says: false)
            #expect(world.drained == [name])
        }
    }

    @Test func `A partition that somebody has is taken over by nobody, as long as everything is heard`() throws {
        var world = World(seed: 0, partitions: 12)
        world.isBad = false
        for _ in 0..<4 {
            world.join()
            world.run(beats: 4)
        }
        try world.drain("w2")
        world.run(beats: 4)
        try world.end("w3", says: true)
        world.run(beats: 4)
        #expect(world.replaced == 0)
        #expect(world.workers["w1"]?.runs.count == 6 && world.workers["w4"]?.runs.count == 6)
    }

    @Test func `A partition that was lost isn't taken over before the next heartbeat`() {
        var state = GroupState<Int>(id: "a", count: 1, heartbeat: 100)
        state.beat(at: 0, isConnected: true)
        #expect(state.evaluate(at: 0).missing == [])
        state.beat(at: 100, isConnected: false)
        #expect(state.evaluate(at: 100).missing == [])
        state.beat(at: 200, isConnected: true)
        #expect(state.evaluate(at: 200).missing == [0])
        #expect(state.add(7, for: 0) == true)
        #expect(state.announced == [0])
        #expect(state.remove(0, pauses: true, at: 210) == 7)
        #expect(state.evaluate(at: 309).missing == [])
        #expect(state.evaluate(at: 310).missing == [0])
        #expect(state.add(8, for: 0) == true)
        #expect(state.remove(0, pauses: false, at: 320) == 8)
        #expect(state.evaluate(at: 320).missing == [0])
    }

    @Test func `Who is new gets an answer, and who says the same again changes nothing`() {
        var state = GroupState<Int>(id: "a", count: 2, heartbeat: 100)
        var heard: [Bool] = []
        func hear(_ partitions: Set<Int>) {
            let (isNew, isKnown) = state.hear("b", partitions, at: 0)
            heard += [isNew, isKnown]
        }
        hear([])
        hear([1])
        hear([1])
        state.forget("b")
        hear([1])
        #expect(heard == [true, false, false, false, false, true, true, false])
    }

    @Test func `One that ends while it is drained says so, and takes nothing over`() throws {
        var world = World(seed: 0, partitions: 3)
        world.isBad = false
        world.join()
        world.run(beats: 3)
        #expect(world.workers["w1"]?.runs.count == 3)
        try world.drain("w1")
        #expect(world.drained.isEmpty)
        #expect(world.workers["w1"]?.state.add(World.Run(partition: 0, number: 100), for: 0) == false)
        let again = world.workers["w1"]?.state.drain {}
        #expect((again ?? nil) == nil)
        try world.end("w1", says: true)
        #expect(world.drained == ["w1"])
    }

    @Test func `Each partition has one owner, and each worker about as many`() {
        for workers in 1...9 {
            let names = (0..<workers).map { "worker-\($0)" }
            let owners = GroupState<Int>.assignment(of: 24, to: names)
            #expect(owners == GroupState<Int>.assignment(of: 24, to: names.reversed()))
            let counts = Dictionary(grouping: owners, by: { $0 }).mapValues(\.count)
            #expect(owners.count == 24 && counts.values.allSatisfy { $0 <= (24 + workers - 1) / workers })
            // Few change when one goes.
            if workers > 1 {
                let fewer = GroupState<Int>.assignment(of: 24, to: Array(names.dropLast()))
                let moved = zip(owners, fewer).count { $0 != $1 && $0 != names.last }
                #expect(moved <= 12)
            }
        }
        // Other versions of the library must compute the same.
        #expect(
            GroupState<Int>.assignment(of: 8, to: ["a", "b", "c"]) == ["a", "a", "b", "c", "b", "a", "b", "c"])
    }
}
