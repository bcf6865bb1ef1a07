/// A place that a failure passed on its way: what `checkpoint(_:)` adds to its trail.
public struct Checkpoint: Sendable, Hashable {
    /// What the place was called.
    public let label: String
    /// The file of the call to `checkpoint(_:)`, as `Module/File.swift`.
    public let file: String
    /// The line of the call to `checkpoint(_:)`, from 1.
    public let line: Int

    /// Makes a checkpoint.
    public init(_ label: String, file: String = #fileID, line: Int = #line) {
        self.label = label
        self.file = file
        self.line = line
    }
}

extension Checkpoint: CustomStringConvertible {
    /// Such as `load (App/Store.swift:12)`.
    public var description: String {
        label.isEmpty ? "\(file):\(line)" : "\(label) (\(file):\(line))"
    }
}

/// An error that keeps the checkpoints it passes.
///
/// A stream of such errors keeps its type at a `checkpoint(_:)`. For errors that don't, there is ``CheckpointFailure``.
public protocol CheckpointRecording: Error {
    /// Adds a checkpoint to the end of the trail.
    mutating func record(_ checkpoint: Checkpoint)
}

/// An error with the checkpoints that it passed, first to last.
///
/// ```swift
/// load().checkpoint("load").map(parse).checkpoint("parse").startWithFailed { print($0) }
/// // timeout, by way of load (App/Store.swift:12), parse (App/Store.swift:12)
/// ```
public struct CheckpointFailure<Underlying: Error>: Error {
    /// The error as it was sent.
    public var underlying: Underlying
    /// What it passed, nearest to its origin first.
    public var trail: [Checkpoint]

    /// Makes a failure.
    public init(_ underlying: Underlying, trail: [Checkpoint] = []) {
        self.underlying = underlying
        self.trail = trail
    }
}

extension CheckpointFailure: CheckpointRecording {
    /// Adds a checkpoint to the end of the trail.
    public mutating func record(_ checkpoint: Checkpoint) { trail.append(checkpoint) }
}

extension CheckpointFailure: CustomStringConvertible {
    /// Such as `timeout, by way of load (App/Store.swift:12), parse (App/Store.swift:12)`.
    public var description: String {
        trail.isEmpty
            ? "\(underlying)" : "\(underlying), by way of \(trail.map(\.description).joined(separator: ", "))"
    }
}

extension CheckpointFailure: Equatable where Underlying: Equatable {}
extension CheckpointFailure: Hashable where Underlying: Hashable {}
