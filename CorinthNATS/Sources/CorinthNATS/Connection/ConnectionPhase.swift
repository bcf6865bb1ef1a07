#if NATS
/// What a ``ConnectionCore`` knows of its members, and of how far it is: a value, and one function for everything that happens.
struct ConnectionPhase<Member: Sendable>: Sendable {
    private enum Stage: Sendable {
        /// No server has answered yet, or not all members have been told.
        ///
        /// - Parameter told: The last one that was.
        case connecting(told: UInt64)
        case open
        /// The members do their last work.
        case draining
        case closed(NATSError?)
    }

    /// Why it will have closed.
    private enum Cause: Sendable {
        /// The library says.
        case unknown
        /// There was no server for too long.
        case unreachable(NATSError)
        /// The program has asked for it. That isn't an error, whatever else has happened.
        case asked
    }

    enum Admission: Sendable {
        /// It is told when there is a connection.
        case waits
        case open
        case closed(NATSError?)
    }

    enum Draining: Sendable {
        /// There is nothing to wait for.
        case notOpen
        case members([Member])
        /// That is being done, or over.
        case begun
    }

    private var stage = Stage.connecting(told: 0)
    private var cause = Cause.unknown
    /// By their numbers, which grow.
    private var members: [UInt64: Member] = [:]
    private var lastMember: UInt64 = 0

    // MARK: Members

    /// - Returns: The number of the member, and what it is to be told now.
    mutating func attach(_ member: Member) -> (number: UInt64, Admission) {
        lastMember += 1
        if case .closed(let reason) = stage { return (lastMember, .closed(reason)) }
        members[lastMember] = member
        if case .connecting = stage { return (lastMember, .waits) }
        return (lastMember, .open)
    }

    /// - Returns: The member, to be released.
    mutating func detach(_ number: UInt64) -> Member? {
        members.removeValue(forKey: number)
    }

    /// A server has answered.
    ///
    /// - Returns: Who is to be told next, in order. If nobody is, it is open, and members don't wait any more.
    mutating func openNext() -> [Member] {
        guard case .connecting(let told) = stage else { return [] }
        let next = inOrder(behind: told)
        stage = next.isEmpty ? .open : .connecting(told: lastMember)
        return next
    }

    private func inOrder(behind told: UInt64) -> [Member] {
        members.filter { $0.key > told }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Those that were told that it is open.
    var openMembers: [Member] {
        switch stage {
        case .open, .draining: Array(members.values)
        case .connecting, .closed: []
        }
    }

    // MARK: The end

    var isClosed: Bool { if case .closed = stage { true } else { false } }
    var isDraining: Bool { if case .draining = stage { true } else { false } }

    /// Why it has closed, or will have. nil if the program has asked for that, or if only the library knows.
    var reason: NATSError? {
        switch (stage, cause) {
        case (.closed(let reason), _): reason
        case (_, .unreachable(let error)): error
        case (_, .asked), (_, .unknown): nil
        }
    }

    /// Whether the program has asked for the end.
    var isAsked: Bool { if case .asked = cause { true } else { false } }

    /// The program asks for the end.
    mutating func ask() { cause = .asked }

    /// There was no server for too long.
    mutating func giveUp(_ error: NATSError) { if case .unknown = cause { cause = .unreachable(error) } }

    /// The program asks for the end, behind the last work of the members.
    mutating func drain() -> Draining {
        ask()
        switch stage {
        case .connecting: return .notOpen
        case .open:
            stage = .draining
            return .members(Array(members.values))
        case .draining, .closed: return .begun
        }
    }

    /// It has closed.
    ///
    /// - Returns: Who is to be told, in order. nil if that was known.
    mutating func close(_ reason: NATSError?) -> [Member]? {
        if isClosed { return nil }
        stage = .closed(reason)
        defer { members = [:] }
        return inOrder(behind: 0)
    }
}
#endif
