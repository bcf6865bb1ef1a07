#if DEBUG && !Exploration
    import Corinth
    import Testing

    /// Each test runs in its own process, where no other code creates or releases objects.
    struct LiveObjectsTests {
        /// Keeps a signal alive forever, because it holds itself.
        private final class Leak {
            let signal = Signal<Int, Never>.pipe().output
            var itself: Leak?
        }

        @Test func signalsAndObservations() async {
            await #expect(processExitsWith: .success) {
                let before = LiveObjects.now
                do {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let mapped = signal.map { $0 + 1 }
                    let disposable = mapped.observeValues { _ in }
                    input.send(value: 1)
                    let during = LiveObjects.now
                    precondition(during.signals == before.signals + 1, "\(during)")
                    precondition(during.observations == before.observations + 1, "\(during)")
                    disposable?.dispose()
                }
                precondition(LiveObjects.now == before, "\(LiveObjects.now), expected \(before)")
            }
        }

        @Test func countsBeginAtZero() async {
            await #expect(processExitsWith: .success) {
                let now = LiveObjects.now
                precondition(now.signals == 0 && now.starts == 0 && now.observations == 0, "\(now)")
            }
        }

        @Test func starts() async {
            await #expect(processExitsWith: .success) {
                let before = LiveObjects.now
                do {
                    let disposable = SignalProducer<Int, Never>.never.start()
                    precondition(LiveObjects.now.starts == before.starts + 1, "\(LiveObjects.now)")
                    disposable.dispose()
                }
                precondition(LiveObjects.now == before, "\(LiveObjects.now), expected \(before)")
            }
        }

        @Test func aLeakIsSeen() async {
            await #expect(processExitsWith: .failure) {
                let before = LiveObjects.now
                let leak = Leak()
                leak.itself = leak
                precondition(LiveObjects.now == before)
            }
        }
    }
#endif
