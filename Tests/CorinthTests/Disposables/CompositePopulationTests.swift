@testable import Corinth
import Testing

@Suite("CompositePopulation")
struct CompositePopulationTests {
    @Test func `A sweep is due at 32 entries, and then each time the number has doubled`() {
        var population = CompositePopulation()
        var due: [Int] = []
        for number in 1...1_000 where population.add() {
            due.append(number)
            population.endSweep()
        }
        #expect(due == [32, 64, 128, 256, 512])
    }

    @Test func `No second sweep is due during one, and the next one depends on what is left`() {
        var population = CompositePopulation()
        #expect((1...32).map { _ in population.add() }.firstIndex(of: true) == 31)
        #expect((1...100).allSatisfy { _ in !population.add() })
        for _ in 1...120 { population.remove() }
        population.endSweep()
        #expect(population.count == 12 && population.limit == 24)
        #expect((13...32).map { _ in population.add() }.firstIndex(of: true) == 19)
        population.endSweep()
        #expect(population.limit == 64)
    }

    @Test(arguments: [0, 1, 10, 100])
    func `However many entries stay, a sweep costs at most two steps for each addition`(staying: Int) {
        var population = CompositePopulation()
        var steps = 0
        for number in 1...10_000 {
            // One in `staying` stays; 0: none.
            guard population.add() else { continue }
            steps += Int(population.count)
            let kept = staying == 0 ? 0 : number / staying
            while population.count > kept { population.remove() }
            population.endSweep()
        }
        #expect(steps <= 20_000)
    }
}
