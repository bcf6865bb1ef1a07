import CBenchmarkSupport

/// Counts what a thread delivers for others while it sends.
///
/// A sender that finds a stream busy leaves its event to whoever is delivering, so a `send` may deliver events of
/// other threads. How many is a promise of the library, and counting shows it where timing can't: a thread that
/// the kernel takes the CPU from is late whatever the library does.
public enum ForeignDeliveries {
    /// The calling thread is about to send as `sender`, a number from 0.
    public static func begin(sender: Int) {
        bench_sending_begin(Int64(sender))
    }

    /// The calling thread delivers an event that `sender` sent. Called by the observer.
    public static func delivered(from sender: Int) {
        bench_sending_delivered(Int64(sender))
    }

    /// How many events of others the calling thread has delivered since it began.
    public static var count: Int {
        Int(bench_sending_foreign())
    }

    /// The calling thread sends no more.
    public static func end() {
        bench_sending_end()
    }
}
