@testable import Corinth
import Testing

/// Every state of an observer's mark, and each transition.
@Suite("ObserverState")
struct ObserverStateTests {
    private final class Object: Sendable {}

    private static let object = Object()
    private static var reference: Unmanaged<AnyObject> { unsafe .passUnretained(object) }
    private static var all: [ObserverState] {
        [unsafe .observing(reference), .ended, .disposed, unsafe .left(reference)]
    }

    @Test func `An observer ends or is disposed of, and one that has ended is disposed of later`() {
        let transitions: [Transition<ObserverState>] = [{ $0.ending() }, { $0.disposing() }]
        let observing = unsafe ObserverState.observing(Self.reference)
        let left = unsafe ObserverState.left(Self.reference)
        #expect(reachable(from: observing, by: transitions) == [observing, .ended, .disposed])
        #expect(reachable(from: left, by: transitions) == [left])
    }

    @Test func `Each state says whether it is disposed of, whether it observes, and to what it has a reference`() {
        #expect(Self.all.map(\.isDisposed) == [false, false, true, true])
        #expect(Self.all.map(\.isObserving) == [true, false, false, false])
        let object = unsafe Self.reference.toOpaque()
        let observed = unsafe Self.all.map { unsafe $0.observed?.toOpaque() }
        #expect(unsafe observed == [object, nil, nil, object])
    }

    @Test func `Only an observer that observes ends, and what was disposed of is not disposed of again`() {
        #expect(Self.all.map { $0.ending() } == [.ended, nil, nil, nil])
        #expect(Self.all.map { $0.disposing() } == [.disposed, .disposed, nil, nil])
    }
}
