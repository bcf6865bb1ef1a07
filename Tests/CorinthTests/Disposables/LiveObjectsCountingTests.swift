import Corinth
import Testing

struct LiveObjectsCountingTests {
    @Test func `A build counts live objects if it says so, and only then`() {
        let pipe = Signal<Int, Never>.pipe()
        #expect((LiveObjects.now.signals > 0) == LiveObjects.isCounting)
        withExtendedLifetime(pipe) {}
    }
}
