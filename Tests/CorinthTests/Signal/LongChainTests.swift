import Corinth
import CorinthTesting
import Foundation
import Testing

/// Chains of 10,000 operators in optimised code, on a thread with a stack as large as the main thread's.
struct LongChainTests {
    #if NaiveLocks
        // In the naive build, each stage has its own locks and uses more stack for them.
        static let length = WaitLimit.isSanitized ? Nesting.mostSupported : 2_000
    #elseif DEBUG
        // Code that isn't optimised uses about a kilobyte per stage.
        static let length = 5_000
    #else
        static let length = 10_000
    #endif

    /// Runs `body` on a thread with a stack as large as the main thread's.
    func onMainSizedStack(_ body: @escaping @Sendable () -> Void) { onStack(mebibytes: 8, body) }

    /// Runs `body` on a thread with a stack as large as those of Dispatch's threads.
    func onSmallStack(_ body: @escaping @Sendable () -> Void) { onStack(mebibytes: 0.5, body) }

    private func onStack(mebibytes: Double, _ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            Nesting.deep(Self.length) { _ in body() }
            ended.signal()
        }
        // Code that is built with a sanitizer uses several times as much stack.
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

    /// These signals don't end. They are released, once from the chain's end and once from its source.
    @Test func signalsThatAreReleased() {
        let leaks = LeakCounter()
        onMainSizedStack {
            let token = leaks.token()
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
        #expect(leaks.count == 0)
    }

    /// The signals have ended. The disposable keeps the last one, and it keeps those above.
    @Test func endedSignalsAreReleased() {
        let leaks = LeakCounter()
        onSmallStack {
            let token = leaks.token()
            let (source, input) = Signal<Int, Never>.pipe()
            let (other, otherInput) = Signal<Int, Never>.pipe()
            var chain = other.map { $0 }
            for _ in 0..<100_000 {
                chain = chain.map { [token] in
                    token.touch(); return $0
                }
            }
            var disposable = chain.take(until: source.map { _ in }).observeValues { _ in }
            chain = .never
            input.send(value: 0)
            #expect(leaks.count == 1, "The closures of the chain are released when it ends.")
            withExtendedLifetime(otherInput) {}
            withExtendedLifetime(disposable) {}
            disposable = nil
        }
        #expect(leaks.count == 0)
    }

    // MARK: Small stacks

    /// The guide guarantees this for 512 KiB: see “Recursion”.
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

    #if !NaiveLocks
        @Test(.disabled(if: WaitLimit.isSanitized), arguments: DeepStream.all.indices)
        func `A chain that uses up the stack stops the program with a message, in an optimised build, too`(index: Int)
            async
        {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                LongChainTests().onSmallStack { DeepStream.all[index].send(20_000) }
            }
            #expect(result.says("this thread's stack is nearly used up"), "\(DeepStream.all[index].name) says nothing")
        }
    #endif

    /// This holds for any length.
    @Test(arguments: [
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
    func `Releasing a recipe of any length takes constant stack`(stage: Stage) {
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
            // If the source were released first, its completion would pass down the chain.
            withExtendedLifetime(source) {}
        }
    }

    #if !NaiveLocks
        /// Law P4, for either direction of nesting.
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

    #if !NaiveLocks
        /// The stack that one more stage takes, in bytes: how much deeper the observer is called.
        private static func stack(_ deliver: (_ length: Int, _ observer: @escaping @Sendable () -> Void) -> Void) -> Int
        {
            let places = [100, 200].map { length in
                let place = Atomic<UInt>(0)
                deliver(length) { place.value = Self.place() }
                return place.value
            }
            return Int(places[0] - places[1]) / 100
        }

        @inline(never)
        private static func place() -> UInt {
            var local = 0
            return unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
        }

        /// The table of the guide “Recursion”.
        @Test(
            .disabled(if: WaitLimit.isSanitized),
            arguments: [
                StageStack("an operator on a signal", 120, 900) { length, observer in
                    let (source, input) = Signal<Int, Never>.pipe()
                    let chain = (0..<length).reduce(source) { chain, _ in chain.map { $0 + 1 } }
                    chain.observeValues { _ in observer() }
                    input.send(value: 1)
                },
                StageStack("an operator on a producer", 220, 800) { length, observer in
                    (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in chain.map { $0 + 1 } }
                        .startWithValues { _ in observer() }
                },
                StageStack("an operator on a property", 360, 1_800) { length, observer in
                    let source = MutableProperty(0)
                    let chain = (0..<length).reduce(Property(source)) { chain, _ in chain.map { $0 + 1 } }
                    chain.signal.observeValues { _ in observer() }
                    source.value = 1
                },
                StageStack("the end of an operator on a signal", 300, 1_500) { length, observer in
                    let (source, input) = Signal<Int, Never>.pipe()
                    let chain = (0..<length).reduce(source) { chain, _ in chain.map { $0 + 1 } }
                    chain.observeCompleted { observer() }
                    input.sendCompleted()
                },
                StageStack("`lift`", 900, 4_000) { length, observer in
                    (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in chain.lift { $0.map { $0 + 1 } }
                    }
                    .startWithValues { _ in observer() }
                },
                StageStack("`combineLatest` of properties and an operator", 800, 5_000) { length, observer in
                    let source = MutableProperty(0)
                    let other = Property(value: 1)
                    let chain = (0..<length).reduce(Property(source)) { chain, _ in
                        chain.combineLatest(with: other).map { $0.0 }
                    }
                    chain.signal.observeValues { _ in observer() }
                    source.value = 1
                },
                StageStack("an operator of several producers", 800, 3_100) { length, observer in
                    (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in
                        chain.flatMap(.merge) { SignalProducer([$0]) }
                    }
                    .startWithValues { _ in observer() }
                },
            ])
        func `A stage takes no more stack than the guide says`(stage: StageStack) {
            onMainSizedStack {
                let taken = Self.stack(stage.deliver)
                print("\(stage.testDescription): \(taken) bytes of stack")
                #expect(taken > 0 && taken <= stage.limit)
            }
        }
    #endif

    #if DEBUG
        @Test func stackOverflowIsNamed() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                // A stack that is used up by as many stages as any build supports.
                let ended = DispatchSemaphore(value: 0)
                let thread = Thread {
                    Nesting.deep(100_000) { stages in
                        let (source, input) = Signal<Int, Never>.pipe()
                        var chain = source
                        for _ in 0..<stages { chain = chain.map { $0 + 1 } }
                        chain.observeValues { _ in }
                        input.send(value: 1)
                    }
                    ended.signal()
                }
                thread.stackSize = 1 << 17
                thread.start()
                ended.wait(orElse: "the thread with the chain has not ended")
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

/// An operator with a name.
struct Stage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>

    init(_ name: String, _ apply: @escaping @Sendable (SignalProducer<Int, Never>) -> SignalProducer<Int, Never>) {
        testDescription = name
        self.apply = apply
    }
}

/// A stream whose events pass through as many calls as it has stages.
struct DeepStream: Sendable {
    let name: String
    let send: @Sendable (_ length: Int) -> Void

    static let all = [
        DeepStream(name: "a value of a signal") { length in
            let (source, input) = Signal<Int, Never>.pipe()
            let chain = (0..<length).reduce(source) { chain, _ in chain.map { $0 + 1 } }
            chain.observeValues { _ in }
            input.send(value: 1)
        },
        DeepStream(name: "the end of a signal") { length in
            let (source, input) = Signal<Int, Never>.pipe()
            let chain = (0..<length).reduce(source) { chain, _ in chain.map { $0 + 1 } }
            chain.observeCompleted {}
            input.sendCompleted()
        },
        DeepStream(name: "joined signals") { length in
            let (source, input) = Signal<Int, Never>.pipe()
            let chain = (0..<length).reduce(source) { chain, _ in Signal.merge([chain, .never]) }
            chain.observeValues { _ in }
            input.send(value: 1)
        },
        DeepStream(name: "a producer") { length in
            (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in chain.map { $0 + 1 } }
                .startWithValues { _ in }
        },
        DeepStream(name: "lifted operators") { length in
            (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in chain.lift { $0.map { $0 + 1 } } }
                .startWithValues { _ in }
        },
        DeepStream(name: "flatMap") { length in
            (0..<length).reduce(SignalProducer<Int, Never>([1])) { chain, _ in
                chain.flatMap(.concat) { SignalProducer([$0]) }
            }
            .startWithValues { _ in }
        },
        DeepStream(name: "a property's value") { length in
            let source = MutableProperty(0)
            let chain = (0..<length).reduce(Property(source)) { chain, _ in chain.map { $0 + 1 } }
            source.value = 1
            withExtendedLifetime(chain) {}
        },
        DeepStream(name: "a property's end") { length in
            var source: MutableProperty? = MutableProperty(0)
            let chain = source.map { source in
                (0..<length).reduce(Property(source)) { chain, _ in chain.map { $0 + 1 } }
            }
            source = nil
            withExtendedLifetime(chain) {}
        },
    ]
}

/// A kind of stage, and how many bytes of stack it may take.
struct StageStack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let limit: Int
    let deliver: @Sendable (_ length: Int, _ observer: @escaping @Sendable () -> Void) -> Void

    init(
        _ name: String, _ optimised: Int, _ debug: Int,
        _ deliver: @escaping @Sendable (_ length: Int, _ observer: @escaping @Sendable () -> Void) -> Void
    ) {
        testDescription = name
        #if DEBUG
            limit = debug
        #else
            limit = optimised
        #endif
        self.deliver = deliver
    }
}
