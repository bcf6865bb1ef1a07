import Corinth
import CorinthTesting
import Synchronization

/// An object of a program that its callbacks share.
final class Shared: Sendable {
    private let uses = Atomic(0)

    func use() { uses.add(1, ordering: .relaxed) }
}

/// Makes the tokens that closures of the registry capture. Here all of them are one shared object.
final class LeakCounter: Sendable {
    final class Token: Sendable {
        func touch() {}
    }

    private let shared = Token()

    func token() -> Token { shared }
}

/// Counts the calls of closures.
final class Counter: Sendable {
    private let number = Atomic(0)

    func increment() { number.add(1, ordering: .relaxed) }
}

/// What all threads share for as long as the program runs.
struct World: Sendable {
    let shared = Shared()
    let leaks = LeakCounter()
    let calls = Counter()
    let thread = ThreadScheduler(name: "audit")
    let queue = QueueScheduler(name: "audit")
    let pool = QueueSchedulerPool(count: 2)
    let property = MutableProperty(0)
    let action: Action<Int, Int, Never>
    let hub: (output: Signal<Item, Never>, input: Signal<Item, Never>.Observer) = Signal.pipe()
    let lifetime: Lifetime
    private let token: Lifetime.Token

    init() {
        action = Action<Int, Int, Never>(enabledIf: Property(value: true)) { SignalProducer(value: $0) }
        (lifetime, token) = Lifetime.make()
    }

    var audited: Audited {
        var audited = Audited()
        audited.add("an object that callbacks capture", shared)
        audited.add("a value", leaks.token())
        audited.add("what makes values", leaks)
        audited.add("a counter", calls)
        audited.add("a ThreadScheduler", thread)
        audited.add("a QueueScheduler", queue)
        audited.add("a pool", pool)
        audited.add("a property", property)
        audited.add("an action", action)
        audited.add("a signal", hub.output)
        audited.add("a lifetime", lifetime)
        return audited
    }
}

/// A generator with a state of its own for each thread: splitmix64.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// Whether something happens that happens once in `count` times.
    mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
