#if NATS
internal import Foundation

/// What a ``PullStart`` knows: a value, and one function for everything that happens.
///
/// Messages come to an *inbox*, and each inbox has a number. It ends with all that was asked for by it, so its number tells whether
/// something that comes late still counts. What is given back waits until no inbox is *ending*: the server might send it there again,
/// and lose it.
struct PullState<Inbox: Sendable, Delivery: Sendable>: Sendable {
    private enum Phase: Sendable {
        /// There is no connection yet, or an inbox is being made.
        case closed
        /// - Parameter requested: How many messages were asked for, and haven't come.
        case open(Inbox, requested: Int)
        /// The connection is to be drained: nothing more is asked for.
        ///
        /// - Parameter done: Called when no delivery is held any more. nil afterwards.
        case draining(done: (@Sendable () -> Void)?)
        case ended
    }

    struct Request: Sendable {
        let inbox: Inbox
        let number: Int
        let count: Int
        /// How many messages were asked for before, and haven't come.
        let before: Int
    }

    private let places: Int
    private var phase: Phase = .closed
    /// That of the last inbox.
    private var number = 0
    private var held = 0
    /// How many inboxes the server may still know, although they have ended here.
    private var ending = 0
    private var returned: [Delivery] = []
    private var failures: FailureClock
    private var wasHeard = false

    /// - Parameters:
    ///   - places: How many messages may be asked for or held at once.
    ///   - failureLimit: See ``FailureClock``.
    init(places: Int, failureLimit: Double) {
        self.places = places
        failures = FailureClock(limit: failureLimit)
    }

    private var requested: Int { if case .open(_, let requested) = phase { requested } else { 0 } }

    /// Enters a phase without an inbox, and returns what is left of the one before, which is then *ending*.
    private mutating func close(_ next: Phase) -> Phase {
        defer { phase = next }
        number += 1
        ending += 1
        return phase
    }

    // MARK: Inboxes

    /// The inbox that there is ends, for another one.
    ///
    /// - Returns: The number of the next one, and the one that has ended, if there was one, for ``hasEnded()``. nil if nothing is to
    ///   begin any more.
    mutating func begin() -> (number: Int, old: Inbox?)? {
        switch phase {
        case .draining, .ended: return nil
        case .closed, .open:
            guard case .open(let old, _) = close(.closed) else { return (number, nil) }
            return (number, old)
        }
    }

    /// An inbox is subscribed to.
    ///
    /// - Returns: Whether it is still wanted.
    mutating func open(_ inbox: Inbox, _ number: Int) -> Bool {
        guard case .closed = phase, number == self.number else { return false }
        phase = .open(inbox, requested: 0)
        return true
    }

    /// Whether an inbox, open or being made, is the one that counts.
    func isCurrent(_ number: Int) -> Bool {
        switch phase {
        case .closed, .open: number == self.number
        case .draining, .ended: false
        }
    }

    /// The server knows that an inbox has ended: to be called once behind each ``begin()`` that has begun something, behind ``drain(_:)``
    /// and behind ``end()``.
    ///
    /// - Returns: What is given back now.
    mutating func hasEnded() -> [Delivery] {
        ending -= 1
        if ending > 0 { return [] }
        defer { returned = [] }
        return returned
    }

    // MARK: Requests

    /// Asks for as many messages as there are free places, if that is enough of them.
    mutating func request() -> Request? {
        guard case .open(let inbox, let requested) = phase else { return nil }
        let free = places - held - requested
        // Half of the places at once, so that a request isn't sent for each message.
        guard free >= (requested == 0 ? 1 : max(1, places / 2)) else { return nil }
        phase = .open(inbox, requested: requested + free)
        return Request(inbox: inbox, number: number, count: free, before: requested)
    }

    /// A request has expired.
    ///
    /// - Parameter left: How many of its messages haven't come.
    mutating func expire(_ left: Int, _ number: Int) {
        failures.succeed()
        guard number == self.number, case .open(let inbox, let requested) = phase else { return }
        phase = .open(inbox, requested: max(0, requested - left))
    }

    /// The server has refused a request, or doesn't answer.
    ///
    /// - Returns: Whether that has gone on for too long.
    mutating func refuse(at now: Date, isConnected: Bool) -> Bool { failures.fail(at: now, isConnected: isConnected) }

    /// Whether the server owes an answer.
    var isAsking: Bool { requested > 0 }

    /// The server has sent something.
    mutating func hear() { wasHeard = true }

    /// Whether the server was silent since the last look although it owes an answer.
    mutating func wasSilent() -> Bool {
        defer { wasHeard = false }
        return !wasHeard && isAsking
    }

    // MARK: Places

    /// A message has come to an inbox, and holds a place until ``release()``.
    ///
    /// - Returns: Whether it goes to the observers. Otherwise it is given back.
    mutating func receive(_ number: Int) -> Bool {
        held += 1
        wasHeard = true
        failures.succeed()
        guard number == self.number, case .open(let inbox, let requested) = phase else { return false }
        phase = .open(inbox, requested: max(0, requested - 1))
        return true
    }

    /// A delivery is settled or released.
    ///
    /// - Returns: What is to be called, if it was the last one that a drain waits for.
    mutating func release() -> (@Sendable () -> Void)? {
        held -= 1
        guard held == 0, case .draining(let done?) = phase else { return nil }
        phase = .draining(done: nil)
        return done
    }

    /// A delivery is given back.
    ///
    /// - Parameter isLast: Whether that is because the start is being disposed of. Then it waits for the end of the inbox that is open.
    /// - Returns: Whether it is given back now. Otherwise ``hasEnded()`` returns it.
    mutating func giveBack(_ delivery: Delivery, atDisposal isLast: Bool) -> Bool {
        let waits =
            switch phase {
            case .closed, .open: ending > 0 || isLast
            case .draining, .ended: ending > 0
            }
        if waits { returned.append(delivery) }
        return !waits
    }

    // MARK: The end

    /// Nothing more is asked for.
    ///
    /// - Parameter done: Called when nothing is held any more.
    /// - Returns: The inbox that has ended, for ``hasEnded()``, and whether nothing is held now, so that `done` isn't kept. nil if this has
    ///   ended, or is drained already.
    mutating func drain(_ done: @escaping @Sendable () -> Void) -> (old: Inbox?, isDone: Bool)? {
        switch phase {
        case .draining, .ended: return nil
        case .closed, .open:
            let isDone = held == 0
            guard case .open(let old, _) = close(.draining(done: isDone ? nil : done)) else { return (nil, isDone) }
            return (old, isDone)
        }
    }

    /// Everything ends.
    ///
    /// - Returns: The inbox that has ended, for ``hasEnded()``, and what waited for a drain. nil if this has ended before.
    mutating func end() -> (old: Inbox?, done: (@Sendable () -> Void)?)? {
        switch phase {
        case .ended: return nil
        case .closed, .open, .draining: break
        }
        switch close(.ended) {
        case .open(let old, _): return (old, nil)
        case .draining(let done): return (nil, done)
        case .closed, .ended: return (nil, nil)
        }
    }

    var hasEnd: Bool { if case .ended = phase { true } else { false } }
}
#endif
