import CScenarioSupport

/// Counts the events of other senders that a thread delivers while it sends.
///
/// A sender that finds a stream busy queues its event for the thread that delivers. So a `send` may deliver events of
/// other threads. The library bounds their number. Counting verifies the bound; timing can't, since a thread that the
/// kernel preempts is late in any case.
enum ForeignDeliveries {
    /// Declares that the calling thread is about to send as `sender`, a number from 0.
    static func begin(sender: Int) {
        scenario_sending_begin(Int64(sender))
    }

    /// Counts a delivery of an event of `sender` on the calling thread. The observer calls it.
    static func delivered(from sender: Int) {
        scenario_sending_delivered(Int64(sender))
    }

    /// How many events of other senders the calling thread has delivered since it began.
    static var count: Int {
        Int(scenario_sending_foreign())
    }

    /// Declares that the calling thread sends no more.
    static func end() {
        scenario_sending_end()
    }
}
