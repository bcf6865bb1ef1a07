#if NaiveLocks && canImport(Glibc)
    import Corinth
    import CorinthTesting
    import Testing

    struct NestingTests {
        /// Otherwise a test that holds too many locks for thread sanitizer would fail in that step only, which hangs then.
        @Test(.enabled(if: !WaitLimit.isSanitized))
        func `A thread that holds very many locks stops the tests`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (source, input) = Signal<Int, Never>.pipe()
                var chain = source
                for _ in 0..<2 * Nesting.mostSupported { chain = chain.map { $0 + 1 } }
                chain.observeValues { _ in }
                input.send(value: 1)
            }
            let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(message.contains("use Nesting.deep"))
        }
    }
#endif
