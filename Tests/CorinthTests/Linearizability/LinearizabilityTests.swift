import Testing

/// Histories of objects under real threads have sequential orders that explain them. A third of them each have two, three and
/// four threads. Half of them are timed: they must be linearizable. The others must be sequentially consistent.
///
/// `CORINTH_STRESS_SECONDS=60 swift test --filter LinearizabilityTests` records sixty times as many histories.
@Suite("Linearizability", .serialized)
struct LinearizabilityTests {
    @Test func atomic() { expectLinearizable(RecordedAtomic.self) }

    @Test func largeAtomic() { expectLinearizable(RecordedLargeAtomic.self) }

    @Test func `MutableProperty, R1 and R3: its changes are delivered in the order in which they were made`() {
        expectLinearizable(RecordedProperty.self)
    }

    @Test func bag() { expectLinearizable(RecordedBag.self) }

    @Test func countedPermits() { expectLinearizable(RecordedCountedPermits.self) }

    #if !NaiveLocks
        @Test func takenPermits() { expectLinearizable(RecordedTakenPermits.self) }
    #endif

    @Test func `Ring, where a post that is in progress hides later ones`() { expectLinearizable(RecordedQueue.self) }

    @Test func mailbox() { expectLinearizable(RecordedMailbox.self) }

    @Test func droppingMailbox() { expectLinearizable(RecordedDroppingMailbox.self) }

    @Test func `CompositeDisposable, where a disposal takes one action after another`() {
        expectLinearizable(RecordedComposite.self)
    }
}

/// The checker and the recorder find what is wrong.
@Suite("Linearizability, seeded bugs", .serialized)
struct LinearizabilityMutantTests {
    @Test func `Seeded bug: an update that is lost`() { expectFault(LosingCounter.self) }

    @Test func `Seeded bug: changes that are delivered in another order than they were made in`() {
        expectFault(LateProperty.self)
    }

    @Test func `Seeded bug: an element that two threads remove`() { expectFault(GenerousBag.self) }

    @Test func `Seeded bug: more permits than there are`() { expectFault(OverfullPermits.self) }

    @Test func `Seeded bug: a queue that swaps two elements`() { expectFault(SwappingQueue.self) }

    @Test func `Seeded bug: a mailbox that swaps two elements`() { expectFault(SwappingMailbox.self) }

    @Test func `Seeded bug: a mailbox that doesn't report a dropped element`() { expectFault(SilentMailbox.self) }

    @Test func `Seeded bug: an action that is added during a disposal and never runs`() {
        expectFault(ForgetfulComposite.self)
    }
}
