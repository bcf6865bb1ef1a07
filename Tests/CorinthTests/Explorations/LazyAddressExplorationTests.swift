#if Exploration && !NaiveLocks
    @testable import Corinth
    import Foundation
    import Testing

    /// Every interleaving of threads that need the same thing for the first time.
    @Suite("Lazy address, all interleavings", .serialized)
    struct LazyAddressExplorationTests {
        @Test
        func `Threads that need the same thing at once get the same one, see its contents, and release the others`() {
            expectSound(Bounds(preemptions: 3)) { users(3, $0) }
        }

        @Test(arguments: [
            Mutation(site: "publish(_:orFree:)", operation: .compareExchange, effect: .relaxed),
            Mutation(site: "known", operation: .load, effect: .relaxed),
        ])
        func `Seeded bugs: a thread doesn't see what another one has made`(mutation: Mutation) {
            expectCaught(mutation, as: .race, Bounds(preemptions: 3)) { users(2, $0) }
        }

        @Test func `Seeded bug: with a plain store, two threads get different ones`() {
            let mutation = Mutation(site: "publish(_:orFree:)", operation: .compareExchange, effect: .storeInstead)
            expectCaught(mutation, as: .broken, Bounds(preemptions: 3)) { users(2, $0) }
        }
    }

    private final class Made: @unchecked Sendable {  // Written before its address is published.
        var value = 0
        let token: LeakCounter.Token

        init(_ token: LeakCounter.Token) { self.token = token }
    }

    /// Each thread makes an object, or gets that of another thread.
    private func users(_ count: Int, _ scenario: Scenario) {
        final class Shared: @unchecked Sendable { let address = LazyAddress() }
        let shared = Shared()
        scenario.watch(shared)
        let got = (0..<count).map { _ in Tally() }
        let leaks = LeakCounter()
        for index in 0..<count {
            scenario.thread("\(index)") {
                let address = shared.address.get {
                    let made = Made(leaks.token())
                    PlainAccess.write(made)
                    made.value = 7
                    return unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(made).toOpaque()))
                } orFree: {
                    unsafe object(at: $0).release()
                }
                let known = unsafe object(at: address).takeUnretainedValue()
                PlainAccess.read(known)
                scenario.expect(known.value == 7, "the object holds \(known.value)")
                got[index].count = Int(address)
            }
        }
        scenario.finally {
            scenario.expect(Set(got.map(\.count)).count == 1, "the threads got different objects")
            unsafe object(at: UInt64(got[0].count)).release()
            scenario.expect(leaks.count == 0, "\(leaks.count) objects are left")
        }
    }

    private func object(at address: UInt64) -> Unmanaged<Made> {
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: UInt(address)).unsafelyUnwrapped)
    }
#endif
