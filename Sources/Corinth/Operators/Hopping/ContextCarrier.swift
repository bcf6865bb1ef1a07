/// What belongs to the code that runs, such as its task-local values, and is carried along with an event to a scheduler.
///
/// A span of a tracing system is an example. ``TaskLocalCarrier`` carries one task-local value.
///
/// ## Concurrency
/// `capture()` runs on the thread on which the source delivers an event, and `restore(_:during:)` on that of the scheduler.
public protocol ContextCarrier<Context>: Sendable {
    /// What is carried.
    associatedtype Context: Sendable

    /// The context of the calling code.
    func capture() -> Context

    /// Runs `body` once, in a context. Afterwards, the context of the calling code is what it was.
    ///
    /// - Parameters:
    ///   - context: What ``capture()`` returned for the event.
    ///   - body: Delivers the event.
    func restore(_ context: Context, during body: () -> Void)
}

/// Carries one task-local value.
///
/// ```swift
/// enum Request {
///     @TaskLocal static var identifier = "none"
/// }
///
/// let carrier = TaskLocalCarrier(Request.$identifier)
/// ```
///
/// - Complexity: O(1). Capturing doesn't allocate. Restoring binds the value. Outside of a task, Swift's runtime makes two
///   allocations for that, and frees them afterwards.
public struct TaskLocalCarrier<Value: Sendable>: ContextCarrier {
    /// The task-local value.
    public let local: TaskLocal<Value>

    /// Creates a carrier.
    ///
    /// - Parameter local: The task-local value, such as `Request.$identifier`.
    @inlinable
    public init(_ local: TaskLocal<Value>) {
        self.local = local
    }

    /// The value in the calling code.
    @inlinable
    public func capture() -> Value { local.get() }

    /// Binds the value during the call of `body`.
    @inlinable
    public func restore(_ value: Value, during body: () -> Void) { local.withValue(value, operation: body) }
}
