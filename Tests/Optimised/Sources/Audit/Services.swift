import Corinth
import Dispatch

/// What programs do with signals, properties, actions, schedulers, pools and tasks. Each function makes streams, and has several
/// closures capture the same shared objects, so that the compiler merges retains of those with its own.
enum Services {
    typealias Service = @Sendable (World, inout Random) -> Void

    static let all: [Service] = [
        stages, joins, hops, timers, retries, properties, bindings, actions, pools, tasks, observers, disposables,
    ]

    @inline(never) @Sendable
    static func stages(_ world: World, _ random: inout Random) {
        let shared = world.shared
        let (output, input) = Signal<Int, Never>.pipe()
        let observation = output.map { $0 + 1 }.filter { _ in use(shared) }.observe(
            Signal<Int, Never>.Observer(value: { _ in _ = use(shared) }, completed: { _ = use(shared) }))
        hold({ use(shared) }, { use(shared) })
        input.send(value: 1)
        if random.isOne(of: 2) { input.sendCompleted() }
        observation?.dispose()
    }

    @inline(never) @Sendable
    static func joins(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let pipes = (0..<3).map { _ in Signal<Item, Never>.pipe() }
        let bag = CompositeDisposable()
        bag += Signal.merge(pipes.map(\.output)).observeValues { _ in shared.use() }
        bag += Signal.combineLatest(pipes[0].output, pipes[1].output).observeValues { _ in shared.use() }
        bag += Signal.zip(pipes[1].output, pipes[2].output).observeValues { _ in shared.use() }
        bag += pipes[0].output.withLatest(from: pipes[1].output).observeValues { _ in shared.use() }
        bag += pipes[0].output.flatMap(.latest) { SignalProducer(value: $0) }.observeValues { _ in shared.use() }
        for number in 0..<4 { for pipe in pipes { pipe.input.send(value: Item(number, token)) } }
        if random.isOne(of: 2) { for pipe in pipes { pipe.input.sendCompleted() } }
        bag.dispose()
    }

    @inline(never) @Sendable
    static func hops(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let (output, input) = Signal<Item, Never>.pipe()
        let bag = CompositeDisposable()
        bag += output.observe(on: world.thread).map { $0 }.observeValues { _ in shared.use() }
        bag += output.observe(on: world.queue).observeValues { _ in shared.use() }
        bag += output.observe(on: world.queue, bufferingPolicy: .dropOldest(capacity: 4)).observeValues { _ in
            shared.use()
        }
        for number in 0..<Int.random(in: 0..<20, using: &random) { input.send(value: Item(number, token)) }
        if random.isOne(of: 2) { input.sendCompleted() }
        if random.isOne(of: 2) { bag.dispose() }
    }

    @inline(never) @Sendable
    static func timers(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let (output, input) = Signal<Item, Never>.pipe()
        let bag = CompositeDisposable()
        bag += output.throttle(0.001, on: world.queue).observeValues { _ in shared.use() }
        bag += output.debounce(0.001, on: world.thread).observeValues { _ in shared.use() }
        bag += output.delay(0.001, on: world.thread).observeValues { _ in shared.use() }
        bag += world.queue.schedule(after: .milliseconds(1)) { shared.use() }
        bag += world.thread.schedule(after: .milliseconds(1)) { shared.use() }
        for number in 0..<3 { input.send(value: Item(number, token)) }
        input.sendCompleted()
        if random.isOne(of: 2) { bag.dispose() }
    }

    @inline(never) @Sendable
    static func retries(_ world: World, _ random: inout Random) {
        let shared = world.shared
        let failing = SignalProducer<Int, TestError>(error: .first).on(failed: { _ in shared.use() })
        let start = failing.retry(upTo: 2, interval: 0.001, on: world.thread).startWithFailed { _ in shared.use() }
        if random.isOne(of: 2) { start.dispose() }
    }

    @inline(never) @Sendable
    static func properties(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let property = MutableProperty(Item(0, token))
        let bag = CompositeDisposable()
        bag += property.signal.observeValues { _ in shared.use() }
        bag += property.producer.combineLatest(with: world.property.producer).startWithValues { _ in shared.use() }
        let derived = property.map { $0.number }.combineLatest(with: world.property)
        bag += derived.signal.observeValues { _ in shared.use() }
        property.value = Item(1, token)
        world.property.value = Int.random(in: 0..<9, using: &random)
        bag.dispose()
    }

    @inline(never) @Sendable
    static func bindings(_ world: World, _ random: inout Random) {
        let (output, input) = Signal<Int, Never>.pipe()
        let bag = CompositeDisposable()
        bag += world.property <~ output
        bag += world.property <~ SignalProducer([1, 2, 3]).observe(on: world.queue)
        input.send(value: 1)
        if random.isOne(of: 2) { bag.dispose() }
    }

    @inline(never) @Sendable
    static func actions(_ world: World, _ random: inout Random) {
        let shared = world.shared
        let action = Action<Int, Int, TestError> { value in
            SignalProducer(value: value).observe(on: world.queue).on(value: { _ in shared.use() })
        }
        let bag = CompositeDisposable()
        bag += action.values.observeValues { _ in shared.use() }
        bag += action.apply(1).startWithCompleted { shared.use() }
        bag += world.action.apply(2).start { _ in shared.use() }
        if random.isOne(of: 2) { bag.dispose() }
    }

    @inline(never) @Sendable
    static func pools(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let (output, input) = Signal<Item, Never>.pipe()
        let bag = CompositeDisposable()
        bag += output.parallelMap(on: world.pool, limit: 4) { $0 }.observeValues { _ in shared.use() }
        bag += output.observe(on: world.pool, by: { $0.number & 3 }) { $0.map { $0 } }.observeValues { _ in shared.use()
        }
        for number in 0..<8 { input.send(value: Item(number, token)) }
        if random.isOne(of: 2) { input.sendCompleted() }
        if random.isOne(of: 2) { bag.dispose() }
    }

    @inline(never) @Sendable
    static func tasks(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let (output, input) = Signal<Item, Never>.pipe(inboxCapacity: 2)
        let task = Task {
            for await _ in output.values(bufferingPolicy: .unbounded) { shared.use() }
        }
        let sender = Task {
            for number in 0..<3 { _ = try? await input.suspendingSend(value: Item(number, token)) }
            input.sendCompleted()
        }
        let producer = SignalProducer<Int, Never>.task {
            shared.use()
            return 1
        }
        let start = producer.startWithValues { _ in shared.use() }
        if random.isOne(of: 2) { task.cancel() }
        if random.isOne(of: 2) { sender.cancel() }
        if random.isOne(of: 2) { start.dispose() }
        let ended = DispatchSemaphore(value: 0)
        Task {
            await sender.value
            await task.value
            ended.signal()
        }
        ended.wait()
    }

    /// Observers of a signal that all threads use.
    @inline(never) @Sendable
    static func observers(_ world: World, _ random: inout Random) {
        let (shared, token) = (world.shared, world.leaks.token())
        let bag = CompositeDisposable()
        bag += world.hub.output.observeValues { _ in shared.use() }
        bag += world.hub.output.map { $0 }.take(first: 2).observeValues { _ in shared.use() }
        world.hub.input.send(value: Item(1, token))
        if random.isOne(of: 2) { world.hub.input.send(value: Item(2, token)) }
        bag.dispose()
    }

    @inline(never) @Sendable
    static func disposables(_ world: World, _ random: inout Random) {
        let shared = world.shared
        let composite = CompositeDisposable()
        let handle = composite.add { shared.use() }
        composite += AnyDisposable { shared.use() }
        composite += SerialDisposable(ScopedDisposable(AnyDisposable { shared.use() }))
        if random.isOne(of: 2) { handle?.dispose() }
        composite.dispose()
        let (lifetime, token) = Lifetime.make()
        lifetime += AnyDisposable { shared.use() }
        lifetime.observeEnded { shared.use() }
        token.dispose()
    }

    @inline(never)
    private static func use(_ shared: Shared) -> Bool {
        shared.use()
        return true
    }

    @inline(never)
    private static func hold(_ first: @escaping () -> Bool, _ second: @escaping () -> Bool) { _ = first() && second() }
}
