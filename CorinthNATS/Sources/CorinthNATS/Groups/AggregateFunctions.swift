#if NATS
public import Foundation

/// The state of a key, whatever its type is. Not Sendable, so that it stays with its partition.
@usableFromInline
class AggregateState {
    @inlinable
    init() {}
}

@usableFromInline
final class TypedState<Value: Sendable>: AggregateState {
    /// nil while it changes.
    @usableFromInline var value: Value?

    @inlinable
    init(_ value: Value?) { self.value = value }

    /// The state of an aggregate, all of which have this type.
    @inlinable
    static func of(_ state: AggregateState) -> TypedState { unsafe unsafeDowncast(state, to: TypedState.self) }
}

/// A change of a state, whatever its type is.
@usableFromInline
struct AggregateChange {
    enum Kind { case changed, closed, restored }

    let kind: Kind
    let key: String
    let window: Range<Date>?
    let state: AggregateState?
    let partition: Int
    let sequence: UInt64
}

extension NATSAggregated {
    @usableFromInline
    init(_ change: AggregateChange) {
        let kind: Kind =
            switch change.kind {
            case .changed: .changed
            case .closed: .closed
            case .restored: .restored
            }
        self.init(
            kind: kind, key: change.key, window: change.window, state: change.state.flatMap { TypedState.of($0).value },
            partition: change.partition, sequence: change.sequence)
    }
}

/// What the program has given for an aggregate.
///
/// The types are left behind here, in code that is compiled where they are known. In a generic table, each message asked the
/// runtime for them: a third of its instructions.
@usableFromInline
struct AggregateFunctions: Sendable {
    /// A message, decoded.
    @usableFromInline
    struct Message {
        let key: String
        /// nil without windows.
        let date: Date?
        /// Applies it to a state.
        let change: (inout AggregateState?) -> Void

        @usableFromInline
        init(key: String, date: Date?, change: @escaping (inout AggregateState?) -> Void) {
            self.key = key
            self.date = date
            self.change = change
        }
    }

    /// Of what there is a state.
    @usableFromInline
    enum Windows: Sendable {
        /// Of each key.
        case none
        /// Of each key and window.
        case fixed(NATSWindows)
        /// Of each key and session.
        case sessions(NATSSessions)

        var closing: WindowClosing? {
            switch self {
            case .none: nil
            case .fixed(let windows): windows.closing
            case .sessions(let sessions): sessions.closing
            }
        }

        /// With which a group was made.
        var shape: [String: JSONValue] {
            switch self {
            case .none: [:]
            case .fixed(let windows):
                [
                    "window": .integer(windows.length.milliseconds), "step": .integer(windows.step.milliseconds),
                ]
            case .sessions(let sessions): ["session": .integer(sessions.gap.milliseconds)]
            }
        }
    }

    let read: @Sendable (NATSDelivery) throws -> Message
    let encode: @Sendable (AggregateState) throws -> Data
    let decode: @Sendable (Data) throws -> AggregateState
    /// Adds the second state to the first one, which is earlier. Called for sessions only.
    let merge: @Sendable (AggregateState, AggregateState) -> Void
    let outputs: (@Sendable (AggregateChange) -> [NATSOutgoing])?
    var windows = Windows.none
    var undecodable = UndecodablePolicy.fail
    /// With what the identifiers of outputs begin.
    var reader = ""

    @usableFromInline
    init(
        read: @escaping @Sendable (NATSDelivery) throws -> Message,
        encode: @escaping @Sendable (AggregateState) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> AggregateState,
        merge: @escaping @Sendable (AggregateState, AggregateState) -> Void,
        outputs: (@Sendable (AggregateChange) -> [NATSOutgoing])?
    ) {
        self.read = read
        self.encode = encode
        self.decode = decode
        self.merge = merge
        self.outputs = outputs
    }

    @inlinable
    init<Codec: NATSCodec, StateCodec: NATSCodec>(
        _ codec: Codec, _ stateCodec: StateCodec, by key: @escaping @Sendable (Codec.Value) -> String,
        at date: (@Sendable (Codec.Value, NATSDelivery) -> Date)?,
        merging merge: @escaping @Sendable (inout StateCodec.Value, StateCodec.Value) -> Void,
        outputs: (@Sendable (NATSAggregated<StateCodec.Value>) -> [NATSOutgoing])?,
        _ update: @escaping @Sendable (inout StateCodec.Value?, Codec.Value) -> Void
    ) {
        typealias State = TypedState<StateCodec.Value>
        let read = { @Sendable (delivery: NATSDelivery) throws -> Message in
            let value = try codec.decode(delivery.message)
            return Message(key: key(value), date: date?(value, delivery)) { (state: inout AggregateState?) in
                let typed = state.map { State.of($0) }
                // Taken out, so that a value with storage of its own isn't copied.
                var changed = typed?.value.take()
                update(&changed, value)
                if changed == nil {
                    state = nil
                } else if let typed {
                    typed.value = changed
                } else {
                    state = State(changed)
                }
            }
        }
        let encode = { @Sendable (state: AggregateState) throws -> Data in
            guard let value = State.of(state).value else { return Data() }
            return try stateCodec.encode(value)
        }
        let decode = { @Sendable (data: Data) throws -> AggregateState in State(try stateCodec.decode(data)) }
        let add = { @Sendable (earlier: AggregateState, later: AggregateState) in
            guard let added = State.of(later).value, var merged = State.of(earlier).value.take() else { return }
            merge(&merged, added)
            State.of(earlier).value = merged
        }
        var erased: (@Sendable (AggregateChange) -> [NATSOutgoing])?
        if let outputs { erased = { change in outputs(NATSAggregated<StateCodec.Value>(change)) } }
        self.init(read: read, encode: encode, decode: decode, merge: add, outputs: erased)
    }
}
#endif
