import Corinth
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

    /// Runs `body` on a thread with 8 MiB of stack.
    func onMainSizedStack(_ body: @escaping @Sendable () -> Void) {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            ended.signal()
        }
        // A sanitizer's code takes several times as much.
        thread.stackSize = WaitLimit.isSanitized ? 64 << 20 : 8 << 20
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
