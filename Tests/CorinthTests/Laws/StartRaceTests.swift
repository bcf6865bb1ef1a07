import Corinth
import Testing

/// Found by the laws under thread sanitizer: a start was given to what may dispose of it before it knew its own place there.
@Suite("Stress: disposal while a producer starts")
struct StartRaceTests {
    @Test func disposalOnAnotherThread() {
        // It has nothing of its own, by which one thread would learn of the other.
        let producer = SignalProducer<Int, Never>.never
        let interruptions = Counter()
        let rounds = (0..<Trial.scaled(4_000)).map { _ in Atomic<(any Disposable)?>(nil) }
        let barrier = Barrier(2)
        Crew.run([
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
                    // At any moment of the start.
                    Work.spin(round % 50)
                    disposable.value?.dispose()
                }
            },
        ])
        #expect(interruptions.value == rounds.count)
    }
}
