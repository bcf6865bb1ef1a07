#if NATS
internal import Corinth
internal import Foundation

/// By what a position in a stream belongs to that stream's history, and not to that of one that was made anew or was restored.
struct StreamHistory: Equatable, Sendable {
    /// When the stream was made, in the server's words; empty if that isn't known.
    var created = ""
    /// A message that was handled, and when the stream stored it, in nanoseconds since 1970; 0 if there is none.
    var sequence: UInt64 = 0
    var time: UInt64 = 0

    /// Reads a server's date, such as `2026-01-31T23:59:59.123456789Z`, in nanoseconds since 1970; nil if it is none.
    static func nanoseconds(_ text: String) -> UInt64? {
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard text.last == "Z", parts.count <= 2,
            let seconds = try? Date("\(parts[0])Z", strategy: .iso8601).timeIntervalSince1970, seconds >= 0
        else { return nil }
        let digits = parts.count == 2 ? parts[1].prefix(9) : ""
        guard let fraction = UInt64(digits + String(repeating: "0", count: 9 - digits.count)) else { return nil }
        return UInt64(seconds) * 1_000_000_000 + fraction
    }
}

extension JetStream {
    /// Sends what a stream has, or fails because it isn't the one that the history is of: with
    /// ``NATSError/streamReplaced(_:)``, or with ``NATSError/truncated(stream:from:to:)``.
    ///
    /// - Parameters:
    ///   - position: All messages up to this sequence were handled.
    ///   - attempts: How often it looks whether the stream ends before that, with a pause of 100 ms: a leader that was elected may not
    ///     have all messages yet.
    func compare(
        _ history: StreamHistory, upTo position: UInt64, with stream: String, attempts: Int = 20
    ) -> SignalProducer<JSONValue, NATSError> {
        call("STREAM.INFO.\(stream)").flatMap(.latest) { info -> SignalProducer<JSONValue, NATSError> in
            let created = info["created"]?.stringValue ?? ""
            if !history.created.isEmpty, created != history.created {
                return SignalProducer(error: .streamReplaced(stream))
            }
            let (first, last) = (info.sequence("first_seq"), info.sequence("last_seq"))
            if last < position {
                if attempts <= 1 {
                    return SignalProducer(error: .truncated(stream: stream, from: last + 1, to: position))
                }
                return afterPause { compare(history, upTo: position, with: stream, attempts: attempts - 1) }
            }
            guard history.time > 0, history.sequence >= first else { return SignalProducer(value: info) }
            return call("STREAM.MSG.GET.\(stream)", ["seq": .integer(Int64(clamping: history.sequence))])
                .attempt { response in
                    let time = response["message"]?["time"]?.stringValue.flatMap { StreamHistory.nanoseconds($0) }
                    return time == nil || time == history.time ? .success(()) : .failure(.streamReplaced(stream))
                }
                .map { _ in info }
                // It was deleted alone.
                .ifRefused(with: JetStream.messageNotFound) { _ in SignalProducer(value: info) }
        }
    }
}

extension NATSError {
    /// Whether a stream isn't the one that was handled.
    var isAboutHistory: Bool {
        switch self {
        case .streamReplaced, .truncated: true
        default: false
        }
    }
}

extension JSONValue {
    /// A sequence in the state of a stream.
    func sequence(_ name: String) -> UInt64 { UInt64(clamping: self["state"]?[name]?.int ?? 0) }
}
#endif
