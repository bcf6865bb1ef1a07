import Corinth
import CorinthTesting
import Foundation

/// The clients of a service: threads, each with some connections, that send at a constant rate whatever the service does.
final class ServiceClients: @unchecked Sendable {  // Atomic or constant.
    static let threads = 3
    private static let linksOfThread = 8
    /// Nanoseconds between two requests of a thread.
    private static let period: UInt64 = {
        #if DEBUG
            WaitLimit.isSanitized ? 8_000_000 : 4_000_000
        #else
            1_000_000
        #endif
    }()
    /// Requests of a thread in a burst.
    private static let burst = 200

    private let service: Service
    private let surroundings: ServiceSurroundings
    private let fault: ServiceFault?
    private let nextLink = Atomic(0)
    private let isOver = Atomic(false)
    /// How many threads still have to send a burst, and have to leave connections.
    private let bursts = Atomic(0)
    private let waves = Atomic(0)
    private let late = Atomic(0)

    init(_ service: Service, _ surroundings: ServiceSurroundings, fault: ServiceFault?) {
        self.service = service
        self.surroundings = surroundings
        self.fault = fault
    }

    /// How many connections there were.
    var linkCount: Int { nextLink.value }

    /// How many milliseconds of requests were left out, because the service was too slow.
    var leftOut: Int { late.value }

    func burst() { bursts.value = ServiceClients.threads }
    func vanish() { waves.value = ServiceClients.threads }
    func stop() { isOver.value = true }

    /// Sends until ``stop()``, and closes all connections then.
    func run(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var links = (0..<ServiceClients.linksOfThread).map { _ in connect() }
        let pause = DispatchSemaphore(value: 0)
        var tick = DispatchTime.now().uptimeNanoseconds
        while !isOver.value {
            let now = DispatchTime.now().uptimeNanoseconds
            if tick > now { _ = pause.wait(timeout: DispatchTime(uptimeNanoseconds: tick)) }
            // A client that is far behind leaves requests out.
            if tick + 500_000_000 < now {
                late.modify { $0 += Int((now - tick) / 1_000_000) }
                tick = now
            }
            for _ in 0..<(takeOne(bursts) ? ServiceClients.burst : 1) {
                let index = Int.random(in: links.indices, using: &generator)
                send(to: links[index], due: tick)
                if fault == .references { Audited.lose(surroundings.payload) }
                if Int.random(in: 0..<1000, using: &generator) == 0 { links[index].fail() }
                if Int.random(in: 0..<1500, using: &generator) == 0 {
                    links[index].close()
                    links[index] = connect()
                }
            }
            if takeOne(waves) {
                for index in links.indices where Int.random(in: 0..<4, using: &generator) == 0 && links[index].vanish()
                {
                    if fault == .leak { links[index].leak() }
                    links[index] = connect()
                }
            }
            tick += ServiceClients.period
        }
        for link in links { link.close() }
    }

    /// The same as ``run(seed:)`` for one connection of a task, which suspends in place of waiting.
    func runTask() async {
        let link = connect()
        while !isOver.value {
            let due = DispatchTime.now().uptimeNanoseconds
            if let input = link.open {
                let number = link.sent.modify { sent -> Int in
                    sent += 1
                    return sent - 1
                }
                try? await input.suspendingSend(value: ServiceRequest(number: number, due: due, surroundings))
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
        link.close()
    }

    private func connect() -> ServiceLink {
        let number = nextLink.modify { next -> Int in
            next += 1
            return next
        }
        let link = ServiceLink(number, surroundings.objects)
        service.accept(link)
        return link
    }

    private func send(to link: ServiceLink, due: UInt64) {
        guard let input = link.open else { return }
        let number = link.sent.modify { sent -> Int in
            sent += 1
            return sent - 1
        }
        input.send(value: ServiceRequest(number: number, due: due, surroundings))
    }

    private func takeOne(_ wishes: Atomic<Int>) -> Bool {
        wishes.value > 0
            && wishes.modify { count -> Bool in
                if count == 0 { return false }
                count -= 1
                return true
            }
    }
}
