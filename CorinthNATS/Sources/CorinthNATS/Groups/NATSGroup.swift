#if NATS
public import Foundation

/// A group of workers on any machines, which share the partitions of a stream. Each partition has one worker at a time. What the
/// group has handled, and its state, are stored in a key-value bucket. See
/// ``JetStream/aggregate(_:as:by:of:state:undecodable:windows:at:outputs:_:)`` and ``JetStream/observe(_:as:by:_:)``.
///
/// ```swift
/// var totals = NATSGroup("totals", in: "STATE")
/// totals.snapshotEvery = 5000
/// jetStream.declare(NATSStream.bucket("STATE")).start()
/// ```
public struct NATSGroup: Equatable, Sendable {
    /// The name. No spaces, and none of `. * > / \`. All workers of the group use the same.
    public var name: String
    /// The name of the bucket. See ``NATSStream/bucket(_:)``.
    public var bucket: String
    /// After how many messages of a partition its position and its state are stored. At least 1.
    public var snapshotEvery = 1000
    /// After which time they are stored if they have changed. At least 1 ms.
    public var snapshotWithin: Duration = .seconds(1)
    /// How many messages of each partition are fetched in advance. At least 1.
    public var places = 256
    /// How often a worker says that it is there. The others take over its partitions after five times this. At least 1 ms.
    public var heartbeat: Duration = .seconds(1)

    /// How long a handler may take for a message. Then ``NATSConnection/failures`` says so, and the partition is given up as if the
    /// worker had died: another start of the handler, here or elsewhere, gets the message again, and after four of them it is set aside.
    /// Each keeps a thread until it returns, and what it does then isn't stored. It is noticed with the next heartbeat. At least 1 ms;
    /// nil for as long as it takes.
    public var within: Duration?

    /// The subject for messages that aren't a part of the state: those that don't decode, whose date is none of a message that was
    /// stored then, and of which workers have died. They have the headers that
    /// ``JetStream/process(_:as:places:retryAfter:within:deadLetter:_:)`` gives to its dead letters, and are published before the position
    /// behind them is stored: at least once, and once within the `duplicateWindow` of that stream. A stream must store the subject,
    /// or a start fails. nil to leave them out; they are counted and reported in both cases.
    public var deadLetters: String?

    /// The subject for messages that were late for at least one of their windows, in the same way. nil to count them only.
    public var lateOutput: String?

    /// What happens when the stream isn't the one whose messages the group has handled.
    public var recovery = Recovery.fail

    /// What a group does when its stream was made anew or restored, or has lost its newest messages: see
    /// ``NATSError/streamReplaced(_:)`` and ``NATSError/truncated(stream:from:to:)``, which ``NATSConnection/failures`` sends in each
    /// case.
    public enum Recovery: Equatable, Sendable {
        /// All workers fail, and nothing is handled.
        case fail
        /// Keeps the states, with the messages in them that the stream doesn't have any more, and goes on with those that it has from
        /// there on.
        case goOn(Start)
        /// Forgets the states of the partition, and begins as a new group would.
        case beginAnew(Start)
    }

    /// Where the group begins when its first worker makes it.
    public var startingAt = Start.first

    /// Where a group begins.
    public enum Start: Equatable, Sendable {
        /// With the first message that the stream ever had. If the stream has deleted that, the start fails with
        /// ``NATSError/stateLost(subject:position:)``: nobody knows whether the group is new, or whether its bucket was lost.
        case first
        /// With the oldest message that the stream has.
        case oldest
        /// With the next message that is stored.
        case newest
        /// With the first message from this sequence on.
        case sequence(UInt64)
    }

    /// - Parameters:
    ///   - name: The name.
    ///   - bucket: The name of the bucket.
    public init(_ name: String, in bucket: String) {
        self.name = name
        self.bucket = bucket
    }

    /// The key of what all workers must agree on.
    var subject: String { "$KV.\(bucket).\(name)" }

    /// After how long without a word a worker is gone.
    var silence: Duration { heartbeat * Self.silentBeats }

    /// How many heartbeats that is.
    static var silentBeats: Int { 5 }

    /// With what the identifiers of its letters and outputs begin.
    func reader(of partitions: NATSPartitions) -> String { "\(bucket).\(name).\(partitions.stream)" }

    /// The key of the head of a partition, with which those of its chunks begin.
    func subject(of partition: Int) -> String { "\(subject).\(partition)" }

    /// Fails if a name is illegal. Stops the program if a number is out of its range.
    func check() throws(NATSError) {
        precondition(snapshotEvery >= 1, "snapshotEvery is \(snapshotEvery), but must be at least 1")
        precondition(places >= 1, "places is \(places), but must be at least 1")
        snapshotWithin.requireMillisecond("snapshotWithin")
        heartbeat.requireMillisecond("heartbeat")
        within?.requireMillisecond("within")
        try Subject.checkName(name)
        try Subject.checkName(bucket)
        for subject in [deadLetters, lateOutput] { if let subject { try Subject.checkPublishing(subject) } }
    }
}

/// A state that is stored. See ``JetStream/aggregate(_:as:by:of:state:undecodable:windows:at:outputs:_:)``.
public struct NATSAggregated<State: Sendable>: Sendable {
    /// Why a state is sent.
    public enum Kind: Equatable, Sendable {
        /// It has changed.
        case changed
        /// Its window is closed, or it was set to nil. It doesn't change any more.
        case closed
        /// A worker has taken over its partition, and has read it.
        case restored
    }

    public var kind: Kind
    public var key: String
    /// The beginning and the end of the window. nil without windows.
    public var window: Range<Date>?
    /// nil if it was set to nil.
    public var state: State?
    public var partition: Int
    /// The state contains all messages of the partition up to this number in the stream, and none behind it.
    public var sequence: UInt64
}

extension NATSAggregated: Equatable where State: Equatable {}

extension NATSStream {
    /// A key-value bucket, as the tools of NATS know it, with one revision of each key.
    ///
    /// - Parameter name: The name of the bucket. The stream has the name `KV_` and this.
    public static func bucket(_ name: String) -> NATSStream {
        var stream = NATSStream("KV_\(name)", subjects: ["$KV.\(name).>"])
        stream.maxMessagesPerSubject = 1
        stream.discard = .new
        return stream
    }
}
#endif
