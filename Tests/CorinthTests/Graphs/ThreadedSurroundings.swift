#if !NaiveLocks
    import Corinth
    import CorinthTesting

    /// What the cases of a run share. The references of these objects are counted: cases must gain and lose none.
    /// A class, since copies of a structure would be references, too.
    final class ThreadedSurroundings: Sendable {
        let queue = QueueScheduler(name: "graphs")
        let thread = ThreadScheduler(name: "graphs")
        let pool = QueueSchedulerPool(count: 2, name: "graphs")
        /// Carried by every third value. The others have tokens of their own, which show leaks.
        let token = LeakCounter().token()
        /// Captured by the closures of all operators, and by those of all observers.
        let calls = Counter()
        let events = Counter()
        /// Observed and changed by all threads, beside the graph.
        let property = MutableProperty(0)
        /// A seeded bug, which the audit must find.
        private let losesReferences: Bool

        /// The virtual time of cases that have ended.
        let ended = EndedSchedulers()

        /// For cases whose references aren't counted.
        static let common = ThreadedSurroundings()

        init(losesReferences: Bool = false) { self.losesReferences = losesReferences }

        var audited: Audited {
            var audited = Audited()
            audited.add("a value's token", token)
            audited.add("an object that operators' closures capture", calls)
            audited.add("an object that observers capture", events)
            audited.add("the queue", queue)
            audited.add("the thread", thread)
            audited.add("the pool", pool)
            for (index, scheduler) in pool.schedulers.enumerated() {
                audited.add("scheduler \(index) of the pool", scheduler)
            }
            audited.add("the property", property)
            return audited
        }

        /// Uses the property, as each thread of a case does with each of its steps.
        func use(_ number: Int) {
            property.value = number
            if losesReferences { Audited.lose(token) }
        }
    }
#endif
