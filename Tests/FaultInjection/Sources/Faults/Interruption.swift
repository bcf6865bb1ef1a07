import CFaults
import Corinth
import Foundation

/// The handler of a signal sends to the stream that its thread uses, at any moment of a send. None waits for a place,
/// since a handler must not interrupt a thread that does.
enum Interruption {
    static func sends(interruptions: Int) {
        if Report.isNaive {
            let promise = "a signal's handler sends to the stream that its thread uses"
            return Report.row("X1", promise, nil, "its mutex is held")
        }
        for isAlone in [true, false] {
            let pipe: StoppedOwner.Pipe = Signal.pipe()
            let (sent, handled, received) = (Counter(), Counter(), Counter())
            pipe.output.map { $0 + 1 }.observeValues { received.add($0) }
            let isOver = Atomic(false)
            // The first one gets the bias. The second one takes it, from time to time.
            let threads = (0..<(isAlone ? 1 : 2)).compactMap { index in
                FaultThread {
                    while !isOver.value {
                        if pipe.input.trySend(value: 0) { sent.add() }
                        if index == 1 { usleep(200) }
                    }
                }
            }
            guard let sender = threads.first, eventually({ sent.value > 1_000 }) else {
                return Report.row("X1", "a thread sends", false, "it doesn't")
            }
            for round in 0..<interruptions {
                for _ in 0..<(round * 7919 % 500) { _ = faults_now() }
                _ = sender.interrupt { if pipe.input.trySend(value: 0) { handled.add() } }
            }
            isOver.value = true
            let areDone = eventually { threads.allSatisfy(\.isFinished) }
            let total = sent.value + handled.value
            let isComplete = areDone && eventually { received.value == total }
            Report.row(
                "X1", "a signal's handler sends to its thread's stream\(isAlone ? "" : ", beside another thread")",
                isComplete && handled.value > interruptions / 2,
                "\(handled.value) handlers sent; \(received.value) of \(total) values arrived")
        }
    }
}
