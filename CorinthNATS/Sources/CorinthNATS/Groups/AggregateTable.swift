#if NATS
internal import Foundation

/// The states of the keys of one partition.
struct AggregateTable<Codec: NATSCodec, StateCodec: NATSCodec>: PartitionTable {
    typealias Change = NATSAggregated<StateCodec.Value>

    /// What the program has given.
    struct Functions: Sendable {
        let codec: Codec
        let stateCodec: StateCodec
        let undecodable: UndecodablePolicy
        let windows: NATSWindows?
        let key: @Sendable (Codec.Value) -> String
        let date: @Sendable (Codec.Value, NATSDelivery) -> Date
        let update: @Sendable (inout StateCodec.Value?, Codec.Value) -> Void
        let outputs: (@Sendable (Change) -> [NATSOutgoing])?
        /// With what the identifiers of outputs begin.
        let reader: String
    }

    private struct Key: Hashable, Comparable {
        var text: String
        /// The beginning of the window, in milliseconds since 1970.
        var window: Int64?

        static func < (left: Key, right: Key) -> Bool {
            (left.window ?? 0, left.text) < (right.window ?? 0, right.text)
        }
    }

    private struct Entry {
        var state: StateCodec.Value?
        var kind = StateRecord.Kind.live
        /// As in the last snapshot. nil if it has changed since.
        var encoded: Data?
    }

    private let core: ConnectionCore
    private let functions: Functions
    private let partition: Int
    /// When the stream was made.
    private var created = ""
    private var entries: [Key: Entry] = [:]
    private(set) var position: UInt64 = 0
    private(set) var newest = Int64.min

    /// What is published before the next snapshot is stored.
    private var outgoing: [NATSOutgoing] = []

    /// The newest date that a message had.
    private var newestOfMessages = Int64.min
    /// The oldest window that isn't closed.
    private var oldestWindow = Int64.max

    init(_ core: ConnectionCore, _ functions: Functions, partition: Int) {
        self.core = core
        self.functions = functions
        self.partition = partition
    }

    mutating func skip(to sequence: UInt64) { position = sequence }

    mutating func apply(_ delivery: NATSDelivery) -> LeftOut? {
        position = delivery.sequence
        let value: Codec.Value
        switch core.decode(delivery.message, sequence: position, as: functions.codec) {
        case .success(let decoded): value = decoded
        case .failure(let error): return LeftOut("\(error)")
        }
        let key = functions.key(value)
        // An output's identifier is the message's, so it is the same when the message is handled again.
        var outputs = functions.outputs.map {
            OutputMaker($0, named: "\(functions.reader).\(delivery.identity)", tracing: delivery.message)
        }
        guard let windows = functions.windows else {
            change(Key(text: key), by: value, &outputs)
            return nil
        }
        let date = functions.date(value, delivery)
        guard let milliseconds = windows.milliseconds(date, storedAt: delivery.date) else {
            let reason =
                "its date is \(date.timeIntervalSince1970) s since 1970, and it was stored at "
                + "\(delivery.date.timeIntervalSince1970) s"
            core.countUndecodable()
            core.report(.undecodable(subject: delivery.subject, sequence: position, reason: reason))
            return LeftOut(reason)
        }
        newest = max(newest, milliseconds)
        newestOfMessages = max(newestOfMessages, milliseconds)
        var isLate = false
        for start in windows.starts(at: milliseconds) {
            if windows.isClosed(start, newest: newest) {
                core.countLate()
                isLate = true
            } else {
                change(Key(text: key, window: start), by: value, &outputs)
            }
        }
        if !isLate { return nil }
        return LeftOut("its date is \(milliseconds) ms since 1970, and the newest is \(newest) ms", isLate: true)
    }

    mutating func hasRested(for time: Duration) -> Bool {
        guard let windows = functions.windows, let idleAfter = windows.idleAfter, time >= idleAfter,
            newestOfMessages > .min, oldestWindow < .max
        else { return false }
        let date = max(newest, newestOfMessages + time.milliseconds)
        guard windows.isClosed(oldestWindow, newest: date) else { return false }
        newest = date
        return true
    }

    private mutating func change(_ key: Key, by value: Codec.Value, _ outputs: inout OutputMaker?) {
        // Taken out, so that a state with storage of its own isn't copied.
        var entry = entries.removeValue(forKey: key) ?? Entry()
        functions.update(&entry.state, value)
        entry.kind = entry.state == nil ? .removed : .live
        entry.encoded = nil
        if let window = key.window, entry.kind == .live { oldestWindow = min(oldestWindow, window) }
        output(key, entry, &outputs)
        entries[key] = entry
    }

    // MARK: Outputs

    /// Makes the outputs of a message, or of a window that is closed, with identifiers that are numbered.
    private struct OutputMaker {
        /// The names by which the W3C's recommendation "Trace Context" knows what a message is a part of.
        private static var traceNames: [String] { ["traceparent", "tracestate"] }

        private let make: @Sendable (Change) -> [NATSOutgoing]
        private let name: String
        private let trace: [NATSHeaders.Field]
        private var count = 0

        init(
            _ make: @escaping @Sendable (Change) -> [NATSOutgoing], named name: String,
            tracing message: NATSMessage? = nil
        ) {
            self.make = make
            self.name = name
            trace = Self.traceNames.compactMap { name in
                message?.header(name).map { NATSHeaders.Field(name: name, value: $0) }
            }
        }

        mutating func outputs(of change: Change) -> [NATSOutgoing] {
            var messages = make(change)
            for index in messages.indices {
                if messages[index].id == nil { messages[index].id = "\(name).output\(count)" }
                count += 1
                for field in trace where messages[index].headers[field.name] == nil {
                    messages[index].headers[field.name] = field.value
                }
            }
            return messages
        }
    }

    private mutating func output(_ key: Key, _ entry: Entry, _ maker: inout OutputMaker?) {
        if maker == nil { return }
        outgoing += maker?.outputs(of: change(key, entry)) ?? []
    }

    mutating func takeOutgoing() -> [NATSOutgoing] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: Snapshots

    /// All states, and those that have changed since the last snapshot. What that has as closed or removed is forgotten.
    ///
    /// - Complexity: O(keys); encodes only what has changed.
    mutating func snapshot() throws -> (bytes: Data, outputs: [Change]) {
        var bytes = Data()
        var changes: [Change] = []
        var forgotten: [Key] = []
        var closed: [Key] = []
        oldestWindow = .max
        for index in entries.indices {
            let key = entries.keys[index]
            var entry = entries.values[index]
            if entry.kind != .live, entry.encoded != nil {
                forgotten.append(key)
                continue
            }
            if let start = key.window, entry.kind == .live, functions.windows?.isClosed(start, newest: newest) != false
            {
                entry.kind = .closed
                entry.encoded = nil
            }
            if let start = key.window, entry.kind == .live { oldestWindow = min(oldestWindow, start) }
            if entry.encoded == nil {
                let encoded = try encode(key, entry)
                entry.encoded = encoded
                changes.append(change(key, entry))
                if entry.kind == .closed { closed.append(key) }
                entries.values[index] = entry
            }
            bytes.append(entry.encoded ?? Data())
        }
        for key in forgotten { entries[key] = nil }
        if let make = functions.outputs {
            // The order of a dictionary differs each time.
            for key in closed.sorted() {
                let window = "\(key.window ?? 0).\(Data(key.text.utf8).base64EncodedString())"
                var maker: OutputMaker? = OutputMaker(
                    make, named: "\(functions.reader).\(created).\(partition).\(window)")
                if let entry = entries[key] { output(key, entry, &maker) }
            }
        }
        return (bytes, changes)
    }

    private func change(_ key: Key, _ entry: Entry, isRestored: Bool = false) -> Change {
        let kind: Change.Kind = entry.kind != .live ? .closed : isRestored ? .restored : .changed
        let window = key.window.map { NATSWindows.range($0, functions.windows) }
        return Change(
            kind: kind, key: key.text, window: window, state: entry.state, partition: partition, sequence: position)
    }

    private func encode(_ key: Key, _ entry: Entry) throws -> Data {
        let state = try entry.state.map { try functions.stateCodec.encode($0) } ?? Data()
        return StateRecord(kind: entry.kind, window: key.window, key: key.text, state: state).data
    }

    mutating func restore(_ claim: SnapshotStore.Claim, from store: SnapshotStore) throws(NATSError) -> [Change] {
        if let loss = claim.loss, loss.isFinal, functions.undecodable == .fail { throw loss.error }
        created = claim.head.snapshot.history.created
        position = claim.head.snapshot.position
        newest = claim.head.snapshot.newest
        newestOfMessages = newest
        let (core, functions) = (core, functions)
        do {
            return try read(claim.state) { key, error in
                let failure = store.damaged(claim.revision, "the state of '\(key)' doesn't decode: \(error)")
                core.countUndecodable()
                core.report(failure)
                if functions.undecodable == .fail { throw failure }
            }
        } catch {
            throw error as? NATSError ?? store.damaged(claim.revision, "\(error)")
        }
    }

    /// Reads the bytes of a snapshot.
    ///
    /// - Parameter undecodable: Called for a key whose state doesn't decode. If it throws, so does this; else the key is left out.
    /// - Returns: All states, as restored.
    private mutating func read(_ bytes: Data, undecodable: (String, any Error) throws -> Void) throws -> [Change] {
        var changes: [Change] = []
        try StateRecord.read(bytes) { record, encoded in
            let key = Key(text: record.key, window: record.window)
            var entry = Entry(kind: record.kind, encoded: encoded)
            if record.kind != .removed {
                do { entry.state = try functions.stateCodec.decode(record.state) } catch {
                    return try undecodable(record.key, error)
                }
            }
            if let window = key.window, entry.kind == .live { oldestWindow = min(oldestWindow, window) }
            entries[key] = entry
            changes.append(change(key, entry, isRestored: true))
        }
        return changes
    }
}
#endif
