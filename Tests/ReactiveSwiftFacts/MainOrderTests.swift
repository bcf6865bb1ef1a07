import Dispatch
import Foundation
import ReactiveSwift
import Testing

/// The order on the main queue, which a program shares with the streams: in programs with this product, that of ReactiveSwift.
struct MainOrderTests {
    /// Runs `body` on the main queue, and returns when it has done everything that was posted there.
    private func onMain(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                body()
                DispatchQueue.main.async { DispatchQueue.main.async { continuation.resume() } }
            }
        }
    }

    @Test(arguments: ["main", "UI"])
    func threeHopsSendValueByValue(name: String) async {
        let log = Atomic<[String]>([])
        // Released after everything has been delivered: an interruption would drop values.
        let (signal, input) = Signal<Int, Never>.pipe()
        await onMain {
            let scheduler: any Scheduler = name == "UI" ? UIScheduler() : QueueScheduler.main
            for hop in ["a", "b", "c"] {
                signal.observe(on: scheduler).observeValues { value in log.modify { $0.append("\(hop)\(value)") } }
            }
            input.send(value: 1)
            input.send(value: 2)
        }
        input.sendCompleted()
        #expect(log.value == ["a1", "b1", "c1", "a2", "b2", "c2"])
    }

    @Test func blocksComeBetweenTheValues() async {
        let log = Atomic<[String]>([])
        // Released after everything has been delivered: an interruption would drop values.
        let (signal, input) = Signal<Int, Never>.pipe()
        await onMain {
            signal.observe(on: QueueScheduler.main).observeValues { value in log.modify { $0.append("\(value)") } }
            for value in 1...3 {
                input.send(value: value)
                DispatchQueue.main.async { log.modify { $0.append("block \(value)") } }
            }
        }
        input.sendCompleted()
        #expect(log.value == ["1", "block 1", "2", "block 2", "3", "block 3"])
    }
}
