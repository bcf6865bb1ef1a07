import Corinth
import Testing

struct LiveObjectsCountingTests {
    @Test("A build counts live objects if it says so, and only then")
    func counting() {
        let pipe = Signal<Int, Never>.pipe()
        #expect((LiveObjects.now.signals > 0) == LiveObjects.isCounting)
        withExtendedLifetime(pipe) {}
    }
}
