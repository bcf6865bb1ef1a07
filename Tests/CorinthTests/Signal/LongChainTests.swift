import Corinth
import CorinthTesting
import Foundation
import Testing

/// Chains of 10,000 operators, where code is optimised, on a thread with as much stack as a main thread has.
struct LongChainTests {
    #if NaiveLocks
        // Each stage has locks of its own there, and takes more stack for them. They are held all at once, which is what that
        // build is there to show. Thread sanitizer looks for locks that are taken in different orders, which is worth having
        // for everything else, and knows of 128 that a thread holds: with one more it stops the process, and hangs in that.
        static let length = WaitLimit.isSanitized ? 100 : 2_000
    #elseif DEBUG
        // Code that is not optimised takes about a kilobyte a stage.
        static let length = 5_000
    #else
        static let length = 10_000
    #endif

    /// Runs `body` on a thread with as much stack as a main thread has.
    func onMainSizedStack(_ body: @escaping @Sendable () -> Void) { onStack(mebibytes: 8, body) }

    /// Runs `body` on a thread with as much stack as those of Dispatch have.
    func onSmallStack(_ body: @escaping @Sendable () -> Void) { onStack(mebibytes: 0.5, body) }

    private func onStack(mebibytes: Double, _ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            ended.signal()
        }
        // A sanitizer's code takes several times as much.
        thread.stackSize = Int(mebibytes * 1_048_576) * (WaitLimit.isSanitized ? 8 : 1)
        thread.start()
        ended.wait(orElse: "the thread with the chain has not ended")
    }

    @Test func signals() {
        onMainSizedStack {
            let (source, input) = Signal<Int, Never>.pipe()
            var chain = source
            for index in 0..<Self.length {
                chain = index % 2 == 0 ? chain.map { $0 + 1 } : chain.filter { $0 > 0 }
            }
            let seen = Atomic(0)
            let ended = Atomic(false)
            chain.observe { event in
                if let value = event.value { seen.value = value } else { ended.value = true }
            }
            input.send(value: 0)
            #expect(seen.value == Self.length / 2)
            input.sendCompleted()
            #expect(ended.value)
        }
    }

    /// Nobody ends it: it is let go of, from its end, and then from its source.
    @Test func signalsThatAreLetGoOf() {
        let live = Live()
        onMainSizedStack {
            let token = live.token()
            let (source, input) = Signal<Int, Never>.pipe()
            var chain = source
            for _ in 0..<Self.length {
                chain = chain.map { [token] in
                    token.touch(); return $0
                }
            }
            let disposable = chain.observeValues { _ in }
            chain = .never
            disposable?.dispose()
            withExtendedLifetime(input) {}
        }
        #expect(live.count == 0)
    }

    // MARK: Small stacks

    /// What the guide promises for 512 KiB: see “Recursion”.
    #if NaiveLocks
        static let depth = WaitLimit.isSanitized ? 50 : 100
    #elseif DEBUG
        static let depth = 200
    #else
        static let depth = 1_500
    #endif

    @Test func eventsReachTheEndOfAChain() {
        onSmallStack {
            let (source, input) = Signal<Int, Never>.pipe()
            var signal = source
            for _ in 0..<Self.depth { signal = signal.map { $0 + 1 } }
            let recorder = EventRecorder<Int, Never>()
            signal.observe(recorder.observer)
            input.send(value: 0)
            input.sendCompleted()
            #expect(recorder.events == [.value(Self.depth), .completed])
        }
    }

    @Test func producersReachTheEndOfAChain() {
        onSmallStack {
            var producer = SignalProducer<Int, Never>([0])
            for _ in 0..<Self.depth { producer = producer.map { $0 + 1 } }
            let recorder = EventRecorder<Int, Never>()
            producer.start(recorder.observer)
            #expect(recorder.events == [.value(Self.depth), .completed])
        }
    }

    @Test func propertiesReachTheEndOfAChain() {
        onSmallStack {
            let source = MutableProperty(0)
            var property = Property(source)
            let depth = Self.depth / 3
            for _ in 0..<depth { property = property.map { $0 + 1 } }
            #expect(property.value == depth)
            source.value = 1
            #expect(property.value == depth + 1)
        }
    }

    /// However long they are.
    @Test(
        "Releasing a recipe takes no stack",
        arguments: [
            Stage("map") { $0.map { $0 + 1 } },
            Stage("concat") { $0.concat(SignalProducer(value: 2)) },
            Stage("prefix") { $0.prefix(SignalProducer(value: 2)) },
            Stage("merge") { $0.merge(with: SignalProducer(value: 2)) },
            Stage("flatMap") { $0.flatMap(.latest) { SignalProducer(value: $0) } },
            Stage("take(until:)") { $0.take(until: SignalProducer<(), Never>.never) },
            Stage("then") { $0.then(SignalProducer(value: 2)) },
            Stage("repeat") { $0.repeat(2) },
            Stage("start(on:)") { $0.start(on: ImmediateScheduler()) },
            Stage("observe(on:)") { $0.observe(on: ImmediateScheduler()) },
            Stage("lift") { $0.lift { $0.map { $0 + 1 } } },
            Stage("on") { $0.on(value: { _ in }) },
            Stage("replayLazily") { $0.replayLazily(upTo: 1) },
        ])
    func recipesAreReleased(stage: Stage) {
        onSmallStack {
            var producer = SignalProducer<Int, Never>([1, 2])
            for _ in 0..<20_000 { producer = stage.apply(producer) }
            producer = .empty
        }
    }

    @Test func signalsAreReleased() {
        onSmallStack {
            for stage in [
                { (signal: Signal<Int, Never>) in signal.map { $0 + 1 } }, { Signal.merge([$0, .never]) },
                { $0.flatMap(.latest) { SignalProducer(value: $0) } },
            ] {
                let (source, input) = Signal<Int, Never>.pipe()
                var chain = source
                for _ in 0..<20_000 { chain = stage(chain) }
                let observation = chain.observeValues { _ in }
                chain = .never
                observation?.dispose()
                withExtendedLifetime(input) {}
            }
        }
    }

    @Test func propertiesAreReleased() {
        onSmallStack {
            let source = MutableProperty(0)
            var property = Property(source)
            for _ in 0..<20_000 { property = property.map { $0 + 1 } }
            property = Property(value: 1)
            // If it went first, its completion would go down the chain.
            withExtendedLifetime(source) {}
        }
    }

    #if !NaiveLocks
        /// Law P4, whichever way they are nested.
        @Test func concatenationsTakeNoStack() {
            onSmallStack {
                var left = SignalProducer<Int, Never>(value: 1)
                for _ in 0..<20_000 { left = left.concat(SignalProducer(value: 1)) }
                var right = SignalProducer<Int, Never>(value: 1)
                for _ in 0..<20_000 { right = SignalProducer(value: 1).concat(right) }
                for producer in [left, right] {
                    let sum = Atomic(0)
                    producer.startWithValues { value in sum.modify { $0 += value } }
                    #expect(sum.value == 20_001)
                }
            }
        }
    #endif

    #if DEBUG
        @Test func whatUsesUpTheStackIsNamed() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (source, input) = Signal<Int, Never>.pipe()
                var chain = source
                for _ in 0..<100_000 { chain = chain.map { $0 + 1 } }
                chain.observeValues { _ in }
                input.send(value: 1)
            }
            let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(message.contains("stack is nearly used up"))
        }
    #endif

    @Test func producers() {
        onMainSizedStack {
            var chain = SignalProducer<Int, Never>([0])
            for index in 0..<Self.length {
                chain = index % 2 == 0 ? chain.map { $0 + 1 } : chain.filter { $0 > 0 }
            }
            let seen = Atomic(0)
            chain.startWithValues { seen.value = $0 }
            #expect(seen.value == Self.length / 2)
        }
    }
}

/// An operator, by name.
struct Stage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>

    init(_ name: String, _ apply: @escaping @Sendable (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>) {
        testDescription = name
        self.apply = apply
    }
}
