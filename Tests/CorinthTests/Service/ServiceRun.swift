import Corinth
import CorinthTesting
import Foundation

/// A run of a service with clients and faults.
struct ServiceRun {
    var seconds = 10.0
    var seed = 0
    /// A bug that is to be found.
    var fault: ServiceFault?
    /// Whether nothing else in the process uses the library or much memory.
    var isAlone = false

    /// Runs the service, and ends it in order.
    func result() -> ServiceResult {
        // Actions without a state share a property, which the first one makes and which stays.
        _ = Action<Int, Int, Never> { SignalProducer(value: $0) }
        let surroundings = ServiceSurroundings()
        let (laws, requests, objects) = (surroundings.laws, surroundings.requests, surroundings.objects)
        // So does the signal of a property.
        _ = surroundings.latest.signal
        var audited = surroundings.audited
        let before = LiveObjects.now
        var result = ServiceResult(run: self, laws: laws)
        audited.begin()
        // All that refers to the service is in there.
        serve(surroundings, &result)
        laws.expect(
            .release, eventually { requests.count == 0 && objects.count == 0 },
            "\(requests.count) requests, and \(objects.count) connections and branches are still alive")
        if isAlone, LiveObjects.isCounting {
            laws.expect(
                .release, eventually { LiveObjects.now == before }, "\(LiveObjects.now); before it was \(before)")
        }
        // A drift that is seeded stays.
        let drifts = audited.settledDrifts(within: fault == nil ? 10 : 1)
        laws.expect(.references, drifts.isEmpty, drifts.map(\.description).joined(separator: ", "))
        result.judgeMemory()
        return result
    }

    /// What is released at once takes no time; a seeded leak isn't waited for.
    private func eventually(_ condition: () -> Bool) -> Bool {
        if fault == nil { return Stress.eventually(condition) }
        for _ in 0..<100_000 where !condition() { Work.yield() }
        return condition()
    }

    private func serve(_ surroundings: ServiceSurroundings, _ result: inout ServiceResult) {
        let service = Service(surroundings, fault: fault)
        let clients = ServiceClients(service, surroundings, fault: fault)
        let ended = DispatchSemaphore(value: 0)
        let seed = UInt64(seed) &* 1_000_003
        for index in 0..<ServiceClients.threads {
            Self.begin("client \(index)", ended) { clients.run(seed: seed &+ UInt64(index)) }
        }
        Task {
            await clients.runTask()
            ended.signal()
        }
        let (isOver, pause) = (Atomic(false), DispatchSemaphore(value: 0))
        let troubles = Atomic<[Service.Trouble: Int]>([:])
        Self.begin("faults", ended) {
            var generator = SeededGenerator(seed: seed &+ 1000)
            while !isOver.value {
                let trouble = Service.Trouble.allCases.randomElement(using: &generator) ?? .burst
                switch trouble {
                case .burst: clients.burst()
                case .vanishing: clients.vanish()
                default: service.suffer(trouble, using: &generator)
                }
                troubles.modify { $0[trouble, default: 0] += 1 }
                _ = pause.wait(timeout: .now() + .milliseconds(Int.random(in: 20...100, using: &generator)))
            }
        }
        sample(service, surroundings, troubles, &result)
        isOver.value = true
        pause.signal()
        // The faults end first: a stalled part would hold the clients up.
        clients.stop()
        for _ in 0..<(ServiceClients.threads + 2) {
            ended.wait(orElse: "a client of the service, or the thread of faults, has not ended")
        }
        service.end()
        result.requests = service.journal.count
        result.connections = clients.linkCount
        result.leftOut = clients.leftOut
        result.troubles = troubles.value
    }

    /// A thread that signals when it has ended and has released what it had.
    private static func begin(_ name: String, _ ended: DispatchSemaphore, _ work: sending @escaping () -> Void) {
        let body = Holder<() -> Void>(work)
        let thread = Thread {
            body.held()
            body.release()
            ended.signal()
        }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Looks at the service at regular times until the time is up.
    private func sample(
        _ service: Service, _ surroundings: ServiceSurroundings, _ troubles: Atomic<[Service.Trouble: Int]>,
        _ result: inout ServiceResult
    ) {
        let interval = max(0.1, seconds / 120)
        let begin = DispatchTime.now()
        let pause = DispatchSemaphore(value: 0)
        var (lastAnswers, lastTroubles) = (0, 0)
        for number in 1...max(1, Int(seconds / interval)) {
            _ = pause.wait(timeout: begin + interval * Double(number))
            let (answers, trouble) = (service.journal.count, troubles.value.values.reduce(0, +))
            let latencies = service.journal.takeLatencies()
            result.samples.append(
                ServiceSample(
                    time: Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9,
                    answers: answers - lastAnswers,
                    percentiles: ServiceSample.shares.compactMap { latencies.percentile($0.1) },
                    requests: surroundings.requests.count, objects: surroundings.objects.count,
                    residentBytes: ServiceSample.residentBytes, troubles: trouble - lastTroubles))
            result.latencies.add(latencies)
            (lastAnswers, lastTroubles) = (answers, trouble)
        }
    }
}
