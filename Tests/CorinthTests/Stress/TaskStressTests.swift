@testable import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Bridges under cancellations at random points.
struct TaskStressTests {
    @Test
    func `Cancellations at random points: values stay in order, each start is disposed of once, nothing stays alive`()
        async
    {
        let leaks = LeakCounter()
        let (starts, ends) = (Counter(), Counter())
        let (output, input) = Signal<Int, Never>.pipe()
        let isOver = Flag()
        let policies: [BufferingPolicy<Never>] = [
            .blocking(capacity: 4), .latest, .dropNewest(capacity: 8), .unbounded, .dropOldest(capacity: 3),
        ]
        let senders = DispatchGroup()
        DispatchQueue(label: "sender").async(group: senders) {
            var value = 0
            while !isOver.isRaised {
                input.send(value: value)
                value += 1
            }
        }
        var generator = SeededGenerator(seed: 14)
        let end = ContinuousClock.now + .seconds(Stress.seconds)
        repeat {
            var tasks: [Task<Bool, Never>] = []
            for _ in 0..<16 {
                let policy = policies.randomElement(using: &generator)!
                let limit = Int.random(in: 0..<40, using: &generator)
                let token = leaks.token()
                let source = output.producer.on(
                    started: { starts.increment() }, disposed: { ends.increment() }, value: { _ in token.touch() })
                tasks.append(
                    Task {
                        var (last, count) = (-1, 0)
                        for await value in source.values(bufferingPolicy: policy) {
                            if value <= last { return false }
                            last = value
                            count += 1
                            if count > limit { break }
                        }
                        return true
                    })
            }
            for _ in 0..<Int.random(in: 0..<50, using: &generator) { await Task.yield() }
            for task in tasks.shuffled(using: &generator).prefix(8) { task.cancel() }
            for task in tasks { #expect(await task.value) }
        } while ContinuousClock.now < end
        isOver.raise()
        await withCheckedContinuation { done in senders.notify(queue: .global()) { done.resume() } }
        #expect(starts.value > 0)
        // One that is cancelled before it has begun only ends.
        #expect(await Stress.eventually { starts.value <= ends.value && leaks.count == 0 }, "\(leaks.count) alive")
    }

    @Test func `Senders are cancelled at random points: each value that was sent arrives once, and no other one`() async
    {
        var generator = SeededGenerator(seed: 16)
        let end = ContinuousClock.now + .seconds(Stress.seconds / 2)
        repeat {
            let places = (0..<2).map { _ in Int.random(in: 1...4, using: &generator) }
            let (output, input) = Signal<Int, Never>.pipe(
                buffering: .blocking(capacity: places[0], stallTimeout: .never))
            nonisolated(unsafe) var values = output.values(
                bufferingPolicy: .blocking(capacity: places[1], stallTimeout: .never)
            ).makeAsyncIterator()
            let reader = Task {
                var received: [Int] = []
                while let value = await unsafe values.next() {
                    received.append(value)
                    if value % 7 == 0 { await Task.yield() }
                }
                return received
            }
            let count = Int.random(in: 1...40, using: &generator)
            let senders = (0..<Int.random(in: 1...6, using: &generator)).map { sender in
                Task {
                    var sent: [Int] = []
                    for value in (sender * 100)..<(sender * 100 + count) {
                        do throws(CancellationError) {
                            try await input.suspendingSend(value: value)
                            sent.append(value)
                        } catch {
                            break
                        }
                    }
                    return sent
                }
            }
            for _ in 0..<Int.random(in: 0..<30, using: &generator) { await Task.yield() }
            for sender in senders where Bool.random(using: &generator) { sender.cancel() }
            var sent: [[Int]] = []
            for sender in senders { sent.append(await sender.value) }
            input.sendCompleted()
            let received = await reader.value
            #expect(received.count == sent.joined().count)
            for (sender, own) in sent.enumerated() { #expect(received.filter { $0 / 100 == sender } == own) }
        } while ContinuousClock.now < end
    }

    @Test func `Awaited values race cancellations: each task ends once`() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let isOver = Flag()
        Thread.detachNewThread { while !isOver.isRaised { input.send(value: 1) } }
        var generator = SeededGenerator(seed: 15)
        let end = ContinuousClock.now + .seconds(Stress.seconds / 2)
        repeat {
            let tasks = (0..<32).map { _ in Task { await output.nextValue() } }
            for task in tasks where Bool.random(using: &generator) { task.cancel() }
            for task in tasks {
                let value = await task.value
                #expect(value == 1 || task.isCancelled)
            }
        } while ContinuousClock.now < end
        isOver.raise()
    }
}
