import Corinth

/// What the parts of a service share. The references of these objects are counted: a service must gain and lose none.
/// A class, since copies of a structure would be references, too.
final class ServiceSurroundings: Sendable {
    let laws = ServiceLaws()
    /// Counts the requests that are alive.
    let requests = LeakCounter()
    /// Counts the connections and branches that are alive.
    let objects = LeakCounter()
    /// Carried by every request.
    let payload = Counter()

    let entry = ThreadScheduler(name: "entry", waiting: .park)
    let pool = QueueSchedulerPool(count: 3, name: "handlers")
    /// Suspended by faults, as is the next one.
    let writer = QueueScheduler(name: "journal")
    let slow = QueueScheduler(name: "slow")
    let timers = QueueScheduler(name: "timers")
    /// Bound, changed and observed by branches.
    let latest = MutableProperty(0)

    var audited: Audited {
        var audited = Audited()
        audited.add("what the callbacks report to", laws)
        audited.add("the counter of requests", requests)
        audited.add("the counter of connections and branches", objects)
        audited.add("what every request carries", payload)
        audited.add("the scheduler of the entry", entry)
        audited.add("the pool", pool)
        for (index, scheduler) in pool.schedulers.enumerated() {
            audited.add("scheduler \(index) of the pool", scheduler)
        }
        audited.add("the scheduler of the journal", writer)
        audited.add("the scheduler of the slow branch", slow)
        audited.add("the scheduler of timers", timers)
        audited.add("the property", latest, isWeak: true)
        return audited
    }
}
