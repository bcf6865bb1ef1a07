#if NATS
internal import CNATS
internal import Corinth

/// One start of ``NATSConnection/messages(on:queueGroup:bufferingPolicy:statistics:)``.
///
/// The stream ends when libnats has delivered its last message and the connection has told why it closed. These two come from
/// different threads, in any order.
final class SubjectStart: ConnectionMember {
    private struct State: Sendable {
        var wasOpened = false
        var isDone = false
        var isClosed = false
        var reason: NATSError?
    }

    /// Breaks the cycle: the subscription calls its start.
    private final class Link: Sendable {
        weak let start: SubjectStart?
        init(_ start: SubjectStart) { self.start = start }
    }

    private let core: ConnectionCore
    private let input: Signal<NATSMessage, NATSError>.Observer
    private let state = Guarded(State())
    private let subscription: Guarded<LibrarySubscription?> = Guarded(nil)

    init(
        _ core: ConnectionCore, _ subject: String, queueGroup: String?,
        into input: Signal<NATSMessage, NATSError>.Observer
    ) {
        self.core = core
        self.input = input
        let link = Link(self)
        let new = LibrarySubscription(subject, queueGroup: queueGroup) { message in
            // The thread of libnats waits only if the policy is to block. A failing or dropping policy acts on `send`.
            if !input.trySend(value: message) { input.send(value: message) }
        } done: {
            link.start?.end { $0.isDone = true }
        }
        subscription.withLock { $0 = new }
    }

    func connectionHasOpened() {
        state.withLock { $0.wasOpened = true }
        guard let subscription = subscription.withLock({ $0 }) else { return }
        do throws(NATSError) {
            try subscription.open(on: core)
        } catch {
            input.send(error: error)
        }
    }

    func connectionHasClosed(_ reason: NATSError?) {
        end {
            $0.isClosed = true
            $0.reason = reason
            if !$0.wasOpened { $0.isDone = true }
        }
    }

    private func end(after change: (inout State) -> Void) {
        let (mayEnd, reason) = state.withLock { state in
            change(&state)
            return (state.isDone && state.isClosed, state.reason)
        }
        guard mayEnd else { return }
        if let reason { input.send(error: reason) } else { input.sendCompleted() }
    }

    /// Unsubscribes.
    func cancel() { subscription.withLock { $0.take() }?.cancel() }
}
#endif
