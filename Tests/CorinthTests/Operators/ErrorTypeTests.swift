import Corinth
import CorinthTesting
import Testing

/// `mapError`, `promoteError`, `promoteValue`.
struct ErrorTypeTests {
    struct Wrapped: Error, Equatable { let inner: TestError }

    @Test func mapping() {
        let overloads = Overloads<Int, TestError, Int, Wrapped>(
            { $0.mapError(Wrapped.init) }, { $0.mapError(Wrapped.init) })
        overloads.expect([.value(1), .failed(Wrapped(inner: .second))], of: [1], then: .failed(.second))
        overloads.expect([.value(1), .completed], of: [1], then: .completed)
        overloads.expect([.value(1), .interrupted], of: [1], then: .interrupted)
        overloads.expectDisposal(after: [1], gives: [.value(1)])
    }

    @Test func promotingErrors() {
        let named = Overloads<Int, Never, Int, TestError>(
            { $0.promoteError(TestError.self) }, { $0.promoteError(TestError.self) })
        let inferred = Overloads<Int, Never, Int, TestError>({ $0.promoteError() }, { $0.promoteError() })
        let unchanged = Overloads<Int, Never, Int, Never>(
            { $0.promoteError(Never.self) }, { $0.promoteError(Never.self) })
        for overloads in [named, inferred] {
            overloads.expect([.value(1), .completed], of: [1], then: .completed)
            overloads.expect([.value(1), .interrupted], of: [1], then: .interrupted)
            overloads.expectDisposal(after: [1], gives: [.value(1)])
        }
        unchanged.expect([.value(1), .completed], of: [1], then: .completed)
        let signal = Signal<Int, Never>.never
        #expect(signal.promoteError() as Signal<Int, Never> === signal)
    }

    @Test func promotingValues() {
        let named = Overloads<Never, TestError, Int, TestError>(
            { $0.promoteValue(Int.self) }, { $0.promoteValue(Int.self) })
        let inferred = Overloads<Never, TestError, Int, TestError>({ $0.promoteValue() }, { $0.promoteValue() })
        for overloads in [named, inferred] {
            overloads.expect([.completed], of: [], then: .completed)
            overloads.expect([.failed(.first)], of: [], then: .failed(.first))
            overloads.expect([.interrupted], of: [], then: .interrupted)
            overloads.expectDisposal(after: [], gives: [])
        }
        let signal = Signal<Never, Never>.never
        #expect(signal.promoteValue() as Signal<Never, Never> === signal)
    }
}
