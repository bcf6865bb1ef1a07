import CCorinth
import CorinthTesting
import Testing

@testable import Corinth

#if !Exploration
    @Suite("Registry", .serialized)
    struct RegistryTests {
        /// An object is in it from when it is made until it ends, with the place of its maker.
        @Test func `Signals, starts and observations are in it while they are alive`() throws {
            let before = Set(Registry.entries.map(\.object))
            do {
                let (output, input) = Signal<Int, Never>.pipe()
                let observation = output.map { $0 + 1 }.observeValues { _ in }
                let made = Registry.entries.filter { !before.contains($0.object) }
                // Other threads may make objects meanwhile.
                #expect(made.count { $0.kind == Registry.Kind.signal.rawValue } >= 1)
                #expect(made.contains { $0.kind == Registry.Kind.observation.rawValue })
                for entry in made { #expect(entry.frame_count > 1 && entry.since > 0) }
                withExtendedLifetime((input, observation)) {}
            }
            let after = Set(Registry.entries.map(\.object))
            #expect(after.subtracting(before).count < 3)
        }

        /// Threads make and end objects beside a reader, as a set says.
        @Test func `It equals a set, whatever threads enter and leave`() {
            let readings = Counter()
            ThreadGroup.run(4) { thread in
                var dice = SeededGenerator(seed: UInt64(thread))
                var mine: [UInt] = []
                // Addresses that no object has.
                let base = UInt(thread + 1) << 56
                for round in 0..<Stress.fewer(20_000) {
                    if mine.isEmpty || Bool.random(using: &dice) {
                        let address = base + UInt(round) * 16
                        ccorinth_registry_add(address, 15, 0)
                        mine.append(address)
                    } else {
                        let address = mine.remove(at: Int.random(in: 0..<mine.count, using: &dice))
                        ccorinth_registry_remove(address)
                        // Nothing happens.
                        ccorinth_registry_remove(address)
                    }
                    if round % 2_000 == 0 {
                        let found = Registry.entries.filter { $0.kind == 15 && $0.object >> 56 == base >> 56 }
                        #expect(Set(found.map(\.object)) == Set(mine) && found.count == mine.count)
                        readings.increment()
                    }
                }
                for address in mine { ccorinth_registry_remove(address) }
            }
            #expect(readings.value > 0)
            #expect(ccorinth_registry_count(15) == 0)
        }
    }
#endif
