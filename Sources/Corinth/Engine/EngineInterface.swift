// What the two builds of the engine have in common. `LockFree` and `LockBased` declare the same types. The trait `NaiveLocks`
// selects the second folder. Each type conforms to its protocol here, so an incomplete build doesn't compile. No call goes
// through these protocols: callers name the types, and the calls are direct.

/// Serialises the events of a stream. One thread owns it at a time and delivers.
protocol StrandInterface: AnyObject, Sendable {
    /// The default inbox capacity, in events.
    static var defaultCapacity: Int { get }

    /// The default stall timeout, in nanoseconds: after this time without a delivery, one more capacity is admitted.
    static var defaultStallTimeout: UInt64 { get }

    /// Whether a hop without a policy is bounded.
    static var boundsHops: Bool { get }

    init(capacity: Int, stallTimeout: UInt64)

    // MARK: Events

    /// Takes ownership; nil if the event has to be queued.
    func enter() -> Owned?

    /// Takes ownership without waiting for another thread.
    func enterAtOnce() -> Owned?

    /// Delivers the queued events and releases ownership.
    func leave(_ owned: consuming Owned)

    /// Queues an event in FIFO order, or delivers it if the strand is idle by then.
    func enqueue(_ node: StrandNode, _ mode: PermitMode)

    /// Queues an event of an object.
    func queue<Target: EventTarget>(_ value: Target.QueuedValue, for target: Target, isKeptByList: Bool)

    /// Takes a permit for an event sent from outside, if one is free.
    func tryTake() -> Bool

    /// The same. If no permit is free, the task waits for one in FIFO order.
    func tryTake(for task: TaskWaiter?) -> Bool

    /// Takes a permit. Waits for it in FIFO order.
    func takeInTurn()

    /// Queues an event of a sender that never blocks.
    func attempt(_ node: StrandNode, _ mode: PermitMode, suspending suspends: Bool) -> SendAttempt

    // MARK: Deferred waits

    /// Sets the thread's deferred waits aside for a delivery that must not wait.
    func setWaitsAside(_ owned: consuming Owned) -> NonblockingDelivery

    /// Releases ownership without waiting, and restores the waits that were set aside.
    func leave(_ delivery: consuming NonblockingDelivery, suspending suspends: Bool) -> SendAttempt

    /// Whether the calling thread has exceeded a bound.
    static var mustStop: Bool { get }

    /// Waits for the bounds that the calling thread has exceeded, if it owns no strand.
    static func waitForDeferred()

    /// Runs the work of a scheduler's thread.
    static func withoutWaiting(_ body: () -> Void)

    /// Stops the work of a scheduler's thread if it has exceeded a bound.
    static func stops(owning own: Permits?, thenResumes action: @escaping @Sendable () -> Void) -> Bool

    // MARK: Derived signals

    /// Has `follower` called when this thread leaves the strand, whose event it delivers, unless that isn't soon.
    func remember(_ follower: DeliveryFollower) -> Bool

    /// The strand of a signal that derives from one on this strand.
    func derived() -> Strand

    /// Whether derived signals share the strand of their source. Then their state changes with the source's.
    static var isShared: Bool { get }

    /// Begins and ends a derived signal's part of a delivery.
    func enterDerived()
    func leaveDerived()

    // MARK: Edits

    /// Begins a change of the observers; nil if it has to be queued.
    func beginEdit() -> Edit?
    func endEdit(_ edit: consuming Edit)

    /// Queues a change of the observers.
    func enqueueEdit(_ work: @escaping () -> Void)

    /// Queues a new observer.
    func enqueueObserving(_ work: @escaping () -> Void)

    /// Reads or changes the signal's state from inside a delivery.
    func withState<Result: ~Copyable>(_ body: () -> Result) -> Result

    /// The observations that were disposed of while the strand was owned. Its owner removes them.
    var removals: AtomicStack { get }

    /// Ends all waits for this stream and of it, for good. Called when nothing that is queued will be delivered.
    func endWaits()
}

/// Counts the permits of a buffer. Senders wait for a free one.
///
/// Created with a capacity and a stall timeout, or without a bound, and with the context that returns the permits. A thread
/// that runs this context doesn't wait for a permit.
protocol PermitsInterface: AnyObject, Sendable {
    /// Counts the buffered values, if statistics were requested.
    var statistics: BufferStatistics? { get set }

    /// Counts one more value, even beyond the bound.
    func enter()

    /// Counts values that are no longer buffered.
    func leave(_ count: Int)

    /// Waits for a permit if the counted value exceeds the bound.
    func waitIfBeyondBound(outside strand: Strand)

    /// Removes the bound and wakes all waiters.
    func close()

    /// The same, and resumes the drain that returns these permits, if it has stopped. It never stops again.
    func endWaits()
}

/// A task that waits for a permit.
protocol TaskWaiterInterface: AnyObject {
    init()

    /// Whether the task has a permit.
    var hasPermit: Bool { get }

    /// Suspends the calling task until it has a permit, unless `attempt` sends the event at once.
    func wait(isolation actor: isolated (any Actor)?, joining attempt: () -> SendAttempt) async -> TaskWaiter.Outcome
}

/// A queue of values for a scheduler, either unbounded or with senders that wait.
protocol MailboxInterface: AnyObject, Sendable {
    associatedtype Element

    init(
        on scheduler: any WorkItemScheduler, in order: ScheduleOrder?, through strand: Strand, bound: MailboxBound?,
        abandon: ((Element) -> Void)?,
        deliver: @escaping (Element) -> Void)

    var permits: Permits { get }

    /// Queues a value. Waits for a permit if the value exceeds the bound.
    ///
    /// - Returns: Whether it was queued. If not, it would have been dropped.
    @discardableResult
    func post(_ element: Element) -> Bool

    /// Queues the last value, which needs no permit.
    func postLast(_ element: Element)
}

/// A bounded queue of values for a scheduler that drops the newest or the oldest.
protocol DroppingMailboxInterface: AnyObject, Sendable {
    associatedtype Element

    init(
        on scheduler: any WorkItemScheduler, in order: ScheduleOrder?, through strand: Strand, capacity: Int,
        dropsOldest: Bool,
        abandon: ((Element) -> Void)?, deliver: @escaping (Element) -> Void)

    var permits: Permits { get }

    /// Queues a value. False if a value was dropped: this one or the oldest.
    func post(_ element: Element) -> Bool

    /// Queues the last value, which needs no permit.
    func postLast(_ element: Element)
}

/// A queue of elements for one task, which takes them one by one and suspends while there is none.
///
/// Senders wait for a permit, or it drops elements. Without elements, the task rests and is woken through the scheduler.
protocol TaskQueueInterface: AnyObject, Sendable {
    associatedtype Element

    init(bound: MailboxBound?, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?)
    init(capacity: Int, dropsOldest: Bool, waking scheduler: any WorkItemScheduler, abandon: ((Element) -> Void)?)

    var permits: Permits? { get }

    /// Queues an element. False if one was dropped: this one or the oldest.
    func post(_ element: Element) -> Bool

    /// Queues the last element, which always fits.
    func postLast(_ element: Element)

    /// Takes the oldest element; nil if there is none, and after a cut.
    func take() -> Element?

    /// Lets the next post or a cut wake the task. False if there is an element, or after a cut.
    func rest() -> Bool

    /// Drops the queued elements and wakes the task and all senders that wait. Called on any thread.
    func cut()
    var isCut: Bool { get }

    /// Removes all elements.
    func dropAll(_ drop: (Element) -> Void)
}

/// A bounded queue from many threads to one thread, which sleeps on it.
protocol RingInterface: AnyObject, Sendable {
    associatedtype Element

    init(capacity: Int, isForOne: Bool, isParking: Bool, takenBy taker: SerialContext?)

    /// Queues an element. False if the ring was closed before there was capacity.
    func post(_ element: Element, mayWait: Bool) -> Bool

    /// Queues an element sent by the taking thread itself, even beyond the bound.
    func postByTaker(_ element: Element)

    func take() -> Element?

    /// Whether there is probably an element to take.
    var hasWork: Bool { get }

    func close()

    /// Takes all elements.
    func takeAll() -> [Element]

    /// The same, and waits for posts in progress.
    func discard() -> [Element]
    var isDrained: Bool { get }

    /// How often the taking thread was signalled.
    var signals: UInt64 { get }
    func signal()
    func blockingWait(unlessSignalledSince signals: UInt64, until deadline: UInt64?)
    func spin(isYielding: Bool)
}

/// A value that is replaced as a whole.
protocol AtomicReferenceInterface: AnyObject, Sendable {
    associatedtype Value

    init(_ value: Value)
    func load() -> Value
    func exchange(_ value: Value) -> Value

    /// Replaces the value with the result of `transform`, unless that is nil.
    ///
    /// - Returns: The old value.
    func update(_ transform: (Value) -> Value?) -> Value
}

/// The value of a property, changed by one thread at a time and observed in that order.
protocol PropertyCellInterface {
    associatedtype Value

    init(_ value: Value)
    var value: Value { get }

    /// Whether a change needs the signal before it begins.
    static var needsSignal: Bool { get }

    /// Publishes something that each later change sees.
    func betweenChanges<Result>(_ publish: () -> Result) -> Result

    /// Begins a change.
    func begin(on strand: @autoclosure () -> Strand, as type: @autoclosure () -> Any.Type) -> PropertyChange

    /// The value, between begin and end.
    var valueWhileHeld: Value { get }

    /// Replaces the value, between begin and end, and returns the old one.
    func replace(_ newValue: Value, _ change: borrowing PropertyChange) -> Value

    /// Ends a change. Returns the strand, unless its notification has been queued.
    func end(_ change: consuming PropertyChange, on strand: Strand, _ makeNode: () -> StrandNode) -> Owned?

    /// Ends a change that changed nothing.
    func abandon(_ change: consuming PropertyChange, on strand: Strand?)
}

/// The observers of a signal, in the order in which they were added.
protocol ObserverListInterface {
    associatedtype Storage
    associatedtype Snapshot

    init(of object: AnyObject, at offset: Int)
    var isEmpty: Bool { get }
    func insert<Value, Error>(_ sink: __owned Sink<Value, Error>, _ observation: Unmanaged<ObserverMark>?) -> UInt64
    func remove(_ id: UInt64) -> ErasedSlot?
    func takeAll() -> TakenObservers
    func release()

    /// The observers of one delivery. It sends a value to each observer, and returns false if there is none.
    var snapshot: Snapshot { get }
}

/// A value that one thread at a time changes: the public `Atomic`.
protocol AtomicInterface: AnyObject, Sendable {
    associatedtype Value

    init(_ value: Value)
    var value: Value { get }
    func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result
    func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result
    func swap(_ newValue: Value) -> Value
}

extension Strand: StrandInterface {}
extension Permits: PermitsInterface {}
extension TaskWaiter: TaskWaiterInterface {}
extension Mailbox: MailboxInterface {}
extension DroppingMailbox: DroppingMailboxInterface {}
extension TaskQueue: TaskQueueInterface {}
extension Ring: RingInterface {}
extension AtomicReference: AtomicReferenceInterface {}
extension PropertyCell: PropertyCellInterface {}
extension ObserverList: ObserverListInterface {}
extension Atomic: AtomicInterface {}
