import Corinth
import CorinthTesting
import Testing

/// `mapError`, `promoteError`, `promoteValue`.
struct ErrorTypeTests {
    struct Wrapped: Error, Equatable { let inner: TestError }

    @Test func mapping() {
        let faces = Faces<Int, TestError, Int, Wrapped>(
            { $0.mapError(Wrapped.init) }, { $0.mapError(Wrapped.init) })
        faces.expect([.value(1), .failed(Wrapped(inner: .second))], of: [1], then: .failed(.second))
        faces.expect([.value(1), .completed], of: [1], then: .completed)
        faces.expect([.value(1), .interrupted], of: [1], then: .interrupted)
        faces.expectDisposal(after: [1], gives: [.value(1)])
    }

    @Test func promotingErrors() {
        let named = Faces<Int, Never, Int, TestError>(
            { $0.promoteError(TestError.self) }, { $0.promoteError(TestError.self) })
        let inferred = Faces<Int, Never, Int, TestError>({ $0.promoteError() }, { $0.promoteError() })
        let unchanged = Faces<Int, Never, Int, Never>(
            { $0.promoteError(Never.self) }, { $0.promoteError(Never.self) })
        for faces in [named, inferred] {
            faces.expect([.value(1), .completed], of: [1], then: .completed)
            faces.expect([.value(1), .interrupted], of: [1], then: .interrupted)
            faces.expectDisposal(after: [1], gives: [.value(1)])
        }
        unchanged.expect([.value(1), .completed], of: [1], then: .completed)
        let signal = Signal<Int, Never>.never
        #expect(signal.promoteError() as Signal<Int, Never> === signal)
    }

    @Test func promotingValues() {
        let named = Faces<Never, TestError, Int, TestError>(
            { $0.promoteValue(Int.self) }, { $0.promoteValue(Int.self) })
        let inferred = Faces<Never, TestError, Int, TestError>({ $0.promoteValue() }, { $0.promoteValue() })
        for faces in [named, inferred] {
            faces.expect([.completed], of: [], then: .completed)
            faces.expect([.failed(.first)], of: [], then: .failed(.first))
            faces.expect([.interrupted], of: [], then: .interrupted)
            faces.expectDisposal(after: [], gives: [])
        }
        let signal = Signal<Never, Never>.never
        #expect(signal.promoteValue() as Signal<Never, Never> === signal)
    }
}
