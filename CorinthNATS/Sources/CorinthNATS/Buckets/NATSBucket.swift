#if NATS
public import Corinth
internal import Foundation

/// A key-value bucket: the newest value of each key, for any number of processes.
///
/// ```swift
/// let limits = jetStream.bucket("LIMITS", as: .json(Int.self))
/// jetStream.declare(NATSStream.bucket("LIMITS"))
///     .then(limits.put(100, for: "orders.ada"))
///     .startWithResult { … }
///
/// let limit = Property(initial: nil, then: limits.values(of: "orders.ada").flatMapError { _ in .never })
/// ```
///
/// The tools of NATS read and write the same buckets. A key has letters, digits, and `- / _ = .`, with a dot between its parts.
///
/// Reading and writing take one request each. They fail with ``NATSError/jetStreamUnavailable(_:)`` if the bucket isn't there or has
/// no leader at present, with ``NATSError/jetStream(code:_:)``, ``NATSError/invalidSubject(_:reason:)`` for an illegal key,
/// ``NATSError/undecodable(subject:sequence:reason:)`` or ``NATSError/unencodable(subject:reason:)``, and with the errors of
/// ``NATSConnection/request(_:to:headers:within:)``. After ``NATSError/timedOut(_:)``, what was to be written may be stored or not.
///
/// ## Concurrency
/// Any thread may call. Values are sent on a thread of libnats.
public struct NATSBucket<Codec: NATSCodec>: Sendable {
    /// The name, without the `KV_` of its stream.
    public let name: String

    let jetStream: JetStream
    let codec: Codec

    // MARK: Reading

    /// Reads a key at each start: its newest entry, or nil if it isn't there or was deleted.
    public func get(_ key: String) -> SignalProducer<NATSEntry<Codec.Value>?, NATSError> {
        entry(key).map { $0.flatMap { $0.value == nil ? nil : $0 } }
    }

    /// The newest entry of a key, also if that is a deletion.
    private func entry(_ key: String) -> SignalProducer<NATSEntry<Codec.Value>?, NATSError> {
        requiring(key) { subject in
            jetStream.newest(subject, in: name).attemptMap { found in
                guard let found else { return .success(nil) }
                return read(found.data, of: subject, found.revision, isDeletion: found.isDeletion).map { $0 }
            }
        }
    }

    func read(
        _ data: Data, of subject: String, _ revision: UInt64, isDeletion: Bool
    ) -> Result<NATSEntry<Codec.Value>, NATSError> {
        var entry = NATSEntry<Codec.Value>(key: String(subject.dropFirst(prefix.count)), value: nil, revision: revision)
        if isDeletion { return .success(entry) }
        return jetStream.connection.core.decoded(on: subject, sequence: revision) { try codec.decode(data) }.map {
            value in
            entry.value = value
            return entry
        }
    }

    // MARK: Writing

    /// Writes a key at each start, whatever it has, and sends the new revision.
    public func put(_ value: Codec.Value, for key: String) -> SignalProducer<UInt64, NATSError> {
        write(value, for: key, over: nil)
    }

    /// Writes a key that isn't there, or was deleted, and sends the new revision. Fails with ``NATSError/revisionConflict(key:)`` if
    /// it is there.
    public func create(_ value: Codec.Value, for key: String) -> SignalProducer<UInt64, NATSError> {
        write(value, for: key, over: 0).flatMapError { error -> SignalProducer<UInt64, NATSError> in
            guard case .revisionConflict = error else { return SignalProducer(error: error) }
            return entry(key).flatMap(.latest) { found -> SignalProducer<UInt64, NATSError> in
                guard let found, found.value == nil else { return SignalProducer(error: error) }
                return write(value, for: key, over: found.revision)
            }
        }
    }

    /// Writes a key whose newest revision is known, and sends the new one. Fails with ``NATSError/revisionConflict(key:)`` if somebody
    /// else has changed it meanwhile.
    ///
    /// - Parameter revision: That of the entry that the value replaces.
    public func update(
        _ value: Codec.Value, for key: String, over revision: UInt64
    ) -> SignalProducer<UInt64, NATSError> {
        write(value, for: key, over: revision)
    }

    /// Deletes a key. Its observers get an entry without a value. Deleting what isn't there does no harm.
    ///
    /// - Parameter revision: That of the entry that is to be deleted. If somebody else has changed it, this fails with
    ///   ``NATSError/revisionConflict(key:)``. nil for whatever is there.
    public func delete(_ key: String, over revision: UInt64? = nil) -> SignalProducer<Never, NATSError> {
        remove(key, over: revision).then(SignalProducer<Never, NATSError>.empty)
    }

    private func remove(_ key: String, over revision: UInt64?) -> SignalProducer<UInt64, NATSError> {
        requiring(key) { write(Data(), to: $0, key, over: revision, [NATSHeaders.operation: "DEL"]) }
    }

    /// Changes a key on the basis of its value, at each start: nothing that others write meanwhile is lost. Sends the new entry, whose
    /// value is nil if it was deleted.
    ///
    /// ```swift
    /// counts.modify("ada") { ($0 ?? 0) + 1 }.start()
    /// ```
    ///
    /// Two requests, and two more whenever somebody else has changed the key in between. If a write fails with
    /// ``NATSError/timedOut(_:)``, it may be stored or not, so this isn't tried again.
    ///
    /// - Parameter change: Gets the value, nil if there is none, and returns the new one, nil to delete it. May be called several times.
    public func modify(
        _ key: String, _ change: @escaping @Sendable (Codec.Value?) -> Codec.Value?
    ) -> SignalProducer<NATSEntry<Codec.Value>, NATSError> {
        typealias Attempt = Result<NATSEntry<Codec.Value>, NATSError>
        return entry(key)
            .flatMap(.latest) { found -> SignalProducer<NATSEntry<Codec.Value>, NATSError> in
                let (value, revision) = (change(found?.value), found?.revision ?? 0)
                let written = value.map { write($0, for: key, over: revision) } ?? remove(key, over: revision)
                return written.map { NATSEntry(key: key, value: value, revision: $0) }
            }
            .map { Attempt.success($0) }
            .flatMapError { error -> SignalProducer<Attempt, NATSError> in
                // Somebody else's change is stored, or will be decided, so there is an end to this.
                if case .revisionConflict = error { return SignalProducer(error: error) }
                return SignalProducer(value: .failure(error))
            }
            .retry(upTo: .max)
            .attemptMap { $0 }
    }

    private func write(
        _ value: Codec.Value, for key: String, over revision: UInt64?
    ) -> SignalProducer<UInt64, NATSError> {
        requiring(key) { subject in
            do throws(NATSError) {
                let data = try jetStream.connection.core.encode(value, as: codec, for: subject).payload
                return write(data, to: subject, key, over: revision)
            } catch {
                return SignalProducer(error: error)
            }
        }
    }

    private func write(
        _ data: Data, to subject: String, _ key: String, over revision: UInt64?, _ headers: NATSHeaders = [:]
    ) -> SignalProducer<UInt64, NATSError> {
        let conflict = SignalProducer<UInt64, NATSError>(error: .revisionConflict(key: key))
        return jetStream.write(data, to: subject, over: revision, headers)
            .ifRefused(with: JetStream.wrongRevision) { _ in conflict }
            // It is decided soon. Who tries again at once would ask as fast as the cluster answers until then.
            .ifRefused(with: JetStream.undecidedRevision) { _ in jetStream.afterPause { conflict } }
    }

    // MARK: Subjects

    /// What the subjects of all keys begin with.
    var prefix: String { "$KV.\(name)." }

    /// Fails if the key or the bucket's name is illegal.
    private func requiring<Value>(
        _ key: String, _ next: (_ subject: String) -> SignalProducer<Value, NATSError>
    ) -> SignalProducer<Value, NATSError> {
        do throws(NATSError) {
            try Subject.checkName(name)
            try Subject.checkKey(key)
        } catch {
            return SignalProducer(error: error)
        }
        return next(prefix + key)
    }
}

/// What a key of a bucket has, or what has become of it.
public struct NATSEntry<Value: Sendable>: Sendable {
    public var key: String
    /// nil if the key was deleted.
    public var value: Value?
    /// The number of this change: larger than that of each earlier one in the bucket.
    public var revision: UInt64
}

extension NATSEntry: Equatable where Value: Equatable {}

extension JetStream {
    /// A key-value bucket, whose values a codec makes payloads of.
    ///
    /// Nothing is declared: see ``NATSStream/bucket(_:)``.
    ///
    /// - Parameter name: The name, without the `KV_` of its stream.
    public func bucket<Codec: NATSCodec>(_ name: String, as codec: Codec) -> NATSBucket<Codec> {
        NATSBucket(name: name, jetStream: self, codec: codec)
    }
}
#endif
