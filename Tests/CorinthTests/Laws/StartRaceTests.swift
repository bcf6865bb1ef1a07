import Corinth
import Testing

/// Found by the laws under thread sanitizer: a start was published to the code that can dispose of it before the start had
/// stored its own position there.
@Suite("Stress: disposal while a producer starts")
struct StartRaceTests {
    @Test func disposalOnAnotherThread() {
        // This producer does nothing itself, so no other synchronisation hides the race.
        let producer = SignalProducer<Int, Never>.never
        let interruptions = Counter()
        let rounds = (0..<Trial.scaled(4_000)).map { _ in Atomic<(any Disposable)?>(nil) }
        let barrier = Barrier(2)
        ThreadGroup.run([
            {
                for disposable in rounds {
                    barrier.arrive()
                    producer.startWithSignal { signal, handle in
                        signal.observeInterrupted { interruptions.increment() }
                        disposable.value = handle
                    }
                }
            },
            {
                for (round, disposable) in rounds.enumerated() {
                    barrier.arrive()
                    while disposable.value == nil { Work.yield() }
                    // Dispose at a varying moment of the start.
                    Work.spin(round % 50)
                    disposable.value?.dispose()
                }
            },
        ])
        // A worker may deliver the last one.
        #expect(Stress.eventually { interruptions.value == rounds.count })
    }
}
