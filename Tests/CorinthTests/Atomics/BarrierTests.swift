import CTestSupport
import Testing

/// Two real threads, each of which stores and then loads what the other one stores. With a barrier in between, at least one of
/// them sees the other's store.
@Suite("Barriers of real threads", .serialized)
struct BarrierTests {
    /// Without a barrier, stores are missed in 6 to 26 of 100 rounds on two processors.
    private static let rounds: UInt64 = 20_000

    @Test func `No store is missed with the barriers of this system`() {
        #expect(test_missed_stores(Self.rounds) == 0)
    }

    #if os(Linux)
        @Test func `No store is missed where both barriers are full`() async {
            await #expect(processExitsWith: .success) {
                test_make_barriers_symmetric()
                precondition(test_missed_stores(Self.rounds) == 0)
            }
        }
    #endif
}
