import Corinth
import CorinthTesting

/// A use of an operator in the laws' registry.
struct OperatorUse: Sendable {
    let entry: OperatorEntry
    let overload: OperatorEntry.Overload

    /// Every use of every operator, on signals and on producers.
    static let all: [OperatorUse] = OperatorRegistry.all.flatMap { entry in
        entry.overloads.map { OperatorUse(entry: entry, overload: $0) }
    }

    /// Builds the operator between pipes and an observer, sends, and ends it or disposes of it.
    func run(_ world: World, _ random: inout Random) {
        let scheduler = TestScheduler()
        let pipes = (0...entry.others).map { _ in Stream.pipe() }
        let inputs = HarnessInputs(
            signals: pipes.dropFirst().map(\.output), producers: pipes.dropFirst().map { StreamProducer($0.output) },
            scheduler: scheduler, lifetime: world.lifetime, leaks: world.leaks, calls: world.calls)
        let (shared, token) = (world.shared, world.leaks.token())
        let observer = Stream.Observer(
            value: { _ in shared.use() }, failed: { _ in shared.use() }, completed: { shared.use() })
        let disposable: (any Disposable)? =
            switch overload {
            case .signal: entry.signal?(pipes[0].output, inputs).observe(observer)
            case .producer: entry.producer?(StreamProducer(pipes[0].output), inputs).start(observer)
            }
        for number in 0..<Int.random(in: 0..<6, using: &random) {
            pipes[Int.random(in: 0..<pipes.count, using: &random)].input.send(value: Item(number, token))
            if random.isOne(of: 2) { scheduler.advance(by: .seconds(1)) }
        }
        if random.isOne(of: 3) { disposable?.dispose() }
        for pipe in pipes {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: pipe.input.sendCompleted()
            case 1: pipe.input.send(error: TestError.first)
            default: pipe.input.sendInterrupted()
            }
        }
        disposable?.dispose()
        // Operators that share a source, or repeat one, keep it for as long as something is pending.
        scheduler.advance(by: .seconds(100))
    }
}
