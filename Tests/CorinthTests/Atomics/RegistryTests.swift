import CCorinth
import CorinthTesting
import Testing

@testable import Corinth

#if !Exploration
    @Suite("Registry", .serialized)
    final class RegistryTests {
        private let wasOn = Registry.isOn

        init() { Registry.turn(on: true) }

        // Other tests count what is allocated.
        deinit { if !wasOn { Registry.turn(on: false) } }

        private static func read() -> [(address: UInt, kind: Registry.Kind?, since: UInt64, frames: Int)] {
            Registry.withEntries { $0.map { ($0.address, $0.kind, $0.since, $0.frames.count) } }
        }

        /// An object is in it from when it is made until it ends, with the place of its maker.
        @Test func `Signals, starts and observations are in it while they are alive`() throws {
            let before = Set(RegistryTests.read().map(\.address))
            do {
                let (output, input) = Signal<Int, Never>.pipe()
                let observation = output.map { $0 + 1 }.observeValues { _ in }
                let made = RegistryTests.read().filter { !before.contains($0.address) }
                // Other threads may make objects meanwhile.
                #expect(made.count { $0.kind == .signal } >= 1)
                #expect(made.contains { $0.kind == .observation })
                for entry in made { #expect(entry.frames > 1 && entry.since > 0) }
                withExtendedLifetime((input, observation)) {}
            }
            let after = Set(RegistryTests.read().map(\.address))
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
                        ccorinth_registry_add(address, 15, 0, 0)
                        mine.append(address)
                    } else {
                        let address = mine.remove(at: Int.random(in: 0..<mine.count, using: &dice))
                        ccorinth_registry_remove(address)
                        // Nothing happens.
                        ccorinth_registry_remove(address)
                    }
                    if round % 2_000 == 0 {
                        let found = RegistryTests.read().filter { $0.kind == nil && $0.address >> 56 == base >> 56 }
                        #expect(Set(found.map(\.address)) == Set(mine) && found.count == mine.count)
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
