import Corinth
import Testing

/// Found by the laws under thread sanitizer: a start was given to what may dispose of it before it knew its own place there.
@Suite("Stress: disposal while a producer starts")
struct StartRaceTests {
    @Test func disposalOnAnotherThread() {
        let starts = Counter()
        let releases = Counter()
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            starts.increment()
            lifetime.observeEnded {
                withExtendedLifetime(observer) {}
                releases.increment()
            }
        }
        for _ in 0..<Trial.scaled(200) {
            let disposable = Atomic<(any Disposable)?>(nil)
            let interruptions = Counter()
            Crew.run([
                {
                    producer.startWithSignal { signal, handle in
                        signal.observeInterrupted { interruptions.increment() }
                        disposable.value = handle
                    }
                },
                {
                    while disposable.value == nil { Work.yield() }
                    disposable.value?.dispose()
                },
            ])
            #expect(interruptions.value == 1)
        }
        #expect(starts.value == releases.value)
    }
}
