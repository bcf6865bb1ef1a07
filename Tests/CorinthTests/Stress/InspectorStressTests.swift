import Corinth
import Testing

#if !Exploration
    @Suite(.serialized)
    final class InspectorStressTests {
        private let wasOn = Inspector.isOn

        init() { Inspector.start() }

        // Other tests count what is allocated.
        deinit { if !wasOn { Inspector.stop() } }

        @Test func `Snapshots beside threads that make and end everything`() async {
            let before = LiveObjects.now
            let busy = Counter()
            ThreadGroup.run(4) { thread in
                if thread == 3 {
                    while busy.value < 3 { #expect(Inspector.snapshot().missed == 0) }
                    return
                }
                defer { busy.increment() }
                let scheduler = QueueScheduler(name: "churn \(thread)")
                for _ in 0..<Stress.fewer(2_000) {
                    let (output, input) = Signal<Int, Never>.pipe()
                    var last = output
                    for _ in 0..<5 { last = last.map { $0 + 1 } }
                    let joined = Signal.combineLatest(last, output)
                    let observation = joined.observe(on: scheduler).observeValues { _ in }
                    input.send(value: 1)
                    SignalProducer<Int, Never>(value: 1).concat(SignalProducer(value: 2)).start()
                    observation?.dispose()
                }
            }
            // Queued drains keep some until they have run.
            let haveEnded = await Stress.eventually {
                let now = LiveObjects.now
                return now.signals - before.signals < 100 && now.observations - before.observations < 100
            }
            #expect(haveEnded, "\(before), \(LiveObjects.now)")
        }
    }
#endif
