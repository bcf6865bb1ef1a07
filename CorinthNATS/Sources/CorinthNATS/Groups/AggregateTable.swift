#if NATS
internal import Foundation

/// The states of the keys of one partition.
struct AggregateTable: PartitionTable {
    private struct Key: Hashable, Comparable {
        var text: String
        /// The beginning of the window, in milliseconds since 1970.
        var window: Int64?

        static func < (left: Key, right: Key) -> Bool {
            (left.window ?? 0, left.text) < (right.window ?? 0, right.text)
        }
    }

    private struct Entry {
        var state: AggregateState?
        var kind: StateRecord.Kind
        /// Of the window.
        var end: Int64?
        /// As it is stored. nil if it has changed since.
        var encoded: Data?

        var isLive: Bool { kind == .live }
    }

    private let core: ConnectionCore
    private let functions: AggregateFunctions
    /// Takes states as they are, and sends them when it is called.
    private let prepare: ([AggregateChange]) -> @Sendable () -> Void
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
    /// The keys that were live in windows that aren't closed, by the end of the window: it is this, rounded down, or later.
    private var closing: [Int64: Set<Key>] = [:]
    /// nil unless there are.
    private var sessions: SessionTable?

    /// What has changed since the last snapshot: each key once.
    private var changed: [Key] = []
    /// What the last snapshot has as closed or removed.
    private var ended: [Key] = []
    private var parts = StateParts<Key>()

    init(
        _ core: ConnectionCore, _ functions: AggregateFunctions, partition: Int,
        _ prepare: @escaping ([AggregateChange]) -> @Sendable () -> Void
    ) {
        self.core = core
        self.prepare = prepare
        self.functions = functions
        self.partition = partition
        if case .sessions(let sessions) = functions.windows {
            self.sessions = SessionTable(gap: sessions.gap.ofDates)
        }
    }

    mutating func skip(to sequence: UInt64) { position = sequence }

    mutating func apply(_ delivery: NATSDelivery) -> LeftOut? {
        position = delivery.sequence
        let message: AggregateFunctions.Message
        do { message = try functions.read(delivery) } catch {
            return LeftOut("\(core.undecodable(delivery, because: "\(error)"))")
        }
        // An output's identifier is the message's, so it is the same when the message is handled again.
        var outputs = functions.outputs.map {
            OutputMaker($0, named: "\(functions.reader).\(delivery.identity)", tracing: delivery.message)
        }
        guard let closing = functions.windows.closing, let date = message.date else {
            change(Key(text: message.key), by: message, &outputs)
            return nil
        }
        guard let milliseconds = closing.milliseconds(date, storedAt: delivery.date) else {
            let reason =
                "its date is \(date.timeIntervalSince1970) s since 1970, and it was stored at "
                + "\(delivery.date.timeIntervalSince1970) s"
            _ = core.undecodable(delivery, because: reason)
            return LeftOut(reason)
        }
        newest = max(newest, milliseconds)
        newestOfMessages = max(newestOfMessages, milliseconds)
        let late = add(message, at: milliseconds, closing, &outputs)
        for _ in 0..<late { core.countLate() }
        if late == 0 { return nil }
        return LeftOut("its date is \(milliseconds) ms since 1970, and the newest is \(newest) ms", isLate: true)
    }

    mutating func hasRested(for time: Duration) -> Bool {
        guard let bounds = functions.windows.closing, let idleAfter = bounds.idleAfter, time >= idleAfter,
            newestOfMessages > .min
        else { return false }
        let date = max(newest, newestOfMessages + time.milliseconds)
        guard closing.contains(where: { hasOver($0, $1, at: date, bounds) }) else { return false }
        newest = date
        return true
    }

    private func hasOver(_ end: Int64, _ keys: Set<Key>, at date: Int64, _ bounds: WindowClosing) -> Bool {
        bounds.isOver(end, newest: date)
            && keys.contains { entries[$0].map { $0.isLive && bounds.isOver($0.end ?? end, newest: date) } ?? false }
    }

    /// Applies a message in all its windows. Returns for how many it is late.
    private mutating func add(
        _ message: AggregateFunctions.Message, at date: Int64, _ closing: WindowClosing,
        _ outputs: inout OutputMaker?
    ) -> Int {
        let (text, newest) = (message.key, newest)
        switch functions.windows {
        case .none: change(Key(text: text), by: message, &outputs)
        case .fixed(let windows):
            var late = 0
            for start in windows.starts(at: date) {
                let end = windows.end(of: start)
                if closing.isOver(end, newest: newest) {
                    late += 1
                } else {
                    change(Key(text: text, window: start), until: end, by: message, &outputs)
                }
            }
            return late
        case .sessions:
            let added = sessions?.add(date, to: text) { closing.isOver($0, newest: newest) }
            guard let (session, joined) = added else { return 1 }
            var states: [AggregateState] = []
            for other in joined where other.lowerBound != session.lowerBound {
                change(Key(text: text, window: other.lowerBound), &outputs) { entry in
                    if let state = entry.state.take() { states.append(state) }
                }
            }
            let functions = functions
            change(Key(text: text, window: session.lowerBound), &outputs) { entry in
                for state in states {
                    if let earlier = entry.state { functions.merge(earlier, state) } else { entry.state = state }
                }
                entry.end = session.upperBound
                message.change(&entry.state)
            }
        }
        return 0
    }

    private mutating func change(
        _ key: Key, until end: Int64? = nil, by message: AggregateFunctions.Message, _ outputs: inout OutputMaker?
    ) {
        change(key, &outputs) { entry in
            entry.end = end
            message.change(&entry.state)
        }
    }

    /// Changes an entry, which is made if there is none. Hashes the key of one that is there once.
    private mutating func change(_ key: Key, _ outputs: inout OutputMaker?, _ body: (inout Entry) -> Void) {
        let place = entries.index(forKey: key)
        var entry = Entry(kind: .forgotten)
        if let place { swap(&entry, &entries.values[place]) }
        if place == nil || entry.encoded != nil { changed.append(key) }
        entry.encoded = nil
        let wasLive = entry.isLive
        body(&entry)
        entry.kind = entry.state == nil ? .removed : .live
        if !wasLive { file(key, entry) }
        if !entry.isLive, let begin = key.window { sessions?.remove(begin, of: key.text) }
        output(key, entry, &outputs)
        if let place { entries.values[place] = entry } else { entries[key] = entry }
    }

    /// Has a live entry closed when its window is over. A session may be longer by then: the end is rounded, so that few are looked at.
    private mutating func file(_ key: Key, _ entry: Entry) {
        guard entry.isLive, let end = entry.end else { return }
        let grain = sessions.map { max($0.gap / 64, 1) } ?? 1
        closing[end.rounded(downTo: grain), default: []].insert(key)
    }

    // MARK: Outputs

    /// Makes the outputs of a message, or of a window that is closed, with identifiers that are numbered.
    private struct OutputMaker {
        /// The names by which the W3C's recommendation "Trace Context" knows what a message is a part of.
        private static var traceNames: [String] { ["traceparent", "tracestate"] }

        private let make: @Sendable (AggregateChange) -> [NATSOutgoing]
        private let name: String
        private let trace: [NATSHeaders.Field]
        private var count = 0

        init(
            _ make: @escaping @Sendable (AggregateChange) -> [NATSOutgoing], named name: String,
            tracing message: NATSMessage? = nil
        ) {
            self.make = make
            self.name = name
            trace = Self.traceNames.compactMap { name in
                message?.header(name).map { NATSHeaders.Field(name: name, value: $0) }
            }
        }

        mutating func outputs(of change: AggregateChange) -> [NATSOutgoing] {
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
        if let outputs = maker?.outputs(of: change(key, entry)) { outgoing += outputs }
    }

    mutating func takeOutgoing() -> [NATSOutgoing] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: Snapshots

    /// What has changed since the last snapshot. What that has as closed or removed is forgotten.
    ///
    /// - Complexity: O(changes log(keys)), amortised; encodes only what has changed.
    mutating func snapshot() throws -> PartitionSnapshot {
        for key in ended where entries[key]?.encoded != nil { entries[key] = nil }
        ended = []
        let closed = closeWindows()
        var changes: [AggregateChange] = []
        var size = 0
        for key in changed {
            guard var entry = entries.removeValue(forKey: key) else { continue }
            let encoded = try encode(key, entry)
            entry.encoded = encoded
            entries[key] = entry
            changes.append(change(key, entry))
            if !entry.isLive { ended.append(key) }
            size += encoded.count
        }
        let (bytes, kept) = write(size)
        changed = []
        if let make = functions.outputs {
            // The order of a dictionary differs each time.
            for key in closed.sorted() {
                let window = "\(key.window ?? 0).\(Data(key.text.utf8).base64EncodedString())"
                var maker: OutputMaker? = OutputMaker(
                    make, named: "\(functions.reader).\(created).\(partition).\(window)")
                if let entry = entries[key] { output(key, entry, &maker) }
            }
        }
        return PartitionSnapshot(bytes: bytes, kept: kept, send: prepare(changes))
    }

    /// Closes what the newest date is beyond.
    private mutating func closeWindows() -> [Key] {
        guard let bounds = functions.windows.closing else { return [] }
        var closed: [Key] = []
        for end in closing.keys.filter({ bounds.isOver($0, newest: newest) }) {
            for key in closing.removeValue(forKey: end) ?? [] {
                // One that was removed meanwhile isn't live.
                guard let entry = entries[key], entry.isLive else { continue }
                guard bounds.isOver(entry.end ?? end, newest: newest) else {
                    file(key, entry)
                    continue
                }
                if entry.encoded != nil { changed.append(key) }
                entries[key]?.kind = .closed
                entries[key]?.encoded = nil
                if let begin = key.window { sessions?.remove(begin, of: key.text) }
                closed.append(key)
            }
        }
        return closed
    }

    /// The bytes of a part with all that has changed, and how many of the parts before it doesn't take in.
    private mutating func write(_ size: Int) -> (bytes: Data, kept: Int) {
        let kept = parts.kept(behind: size)
        var bytes = Data()
        if kept == 0 {
            for entry in entries.values { bytes.append(entry.encoded ?? Data()) }
            // The first part is only replaced by the whole state, for which its keys aren't needed.
            parts.write([], bytes.count, behind: 0)
            return (bytes, 0)
        }
        let keys = Array(Set(changed).union(parts.keys(behind: kept)))
        for key in keys {
            // What isn't there any more may be in the parts that stay.
            bytes.append(
                entries[key]?.encoded
                    ?? record(.forgotten, key, until: nil, Data()).data)
        }
        parts.write(keys, bytes.count, behind: kept)
        return (bytes, kept)
    }

    private func change(_ key: Key, _ entry: Entry, isRestored: Bool = false) -> AggregateChange {
        let kind: AggregateChange.Kind = !entry.isLive ? .closed : isRestored ? .restored : .changed
        let window = key.window.map { Date.range($0..<(entry.end ?? $0)) }
        return AggregateChange(
            kind: kind, key: key.text, window: window, state: entry.state, partition: partition, sequence: position)
    }

    private func encode(_ key: Key, _ entry: Entry) throws -> Data {
        let state = try entry.state.map(functions.encode) ?? Data()
        return record(entry.kind, key, until: entry.end, state).data
    }

    private func record(_ kind: StateRecord.Kind, _ key: Key, until end: Int64?, _ state: Data) -> StateRecord {
        // That of another window follows from its beginning.
        StateRecord(
            kind: kind, window: key.window, end: sessions == nil ? nil : end, key: key.text, state: state)
    }

    mutating func restore(_ claim: SnapshotStore.Claim, from store: SnapshotStore) throws(NATSError) {
        if let loss = claim.loss, loss.isFinal, functions.undecodable == .fail { throw loss.error }
        created = claim.head.snapshot.history.created
        position = claim.head.snapshot.position
        newest = claim.head.snapshot.newest
        newestOfMessages = newest
        let (core, functions) = (core, functions)
        do {
            try read(claim.state) { key, error in
                let failure = store.damaged(claim.revision, "the state of '\(key)' doesn't decode: \(error)")
                core.countUndecodable()
                core.report(failure)
                if functions.undecodable == .fail { throw failure }
            }
        } catch {
            throw error as? NATSError ?? store.damaged(claim.revision, "\(error)")
        }
    }

    /// Reads the bytes of a snapshot, and sends all states as restored.
    ///
    /// - Parameter undecodable: Called for a key whose state doesn't decode. If it throws, so does this; else the key is left out.
    private mutating func read(_ bytes: Data, undecodable: (String, any Error) throws -> Void) throws {
        var changes: [AggregateChange] = []
        try StateRecord.read(bytes) { record, encoded in
            let key = Key(text: record.key, window: record.window)
            var entry = Entry(kind: record.kind, end: record.end, encoded: encoded)
            if case .fixed(let windows) = functions.windows { entry.end = key.window.map { windows.end(of: $0) } }
            if record.kind != .removed {
                do { entry.state = try functions.decode(record.state) } catch {
                    return try undecodable(record.key, error)
                }
            }
            file(key, entry)
            if !entry.isLive {
                ended.append(key)
            } else if let begin = key.window, let end = entry.end {
                sessions?.restore(begin..<end, of: key.text)
            }
            entries[key] = entry
            changes.append(change(key, entry, isRestored: true))
        }
        prepare(changes)()
    }
}
#endif
