/// The run of a start whose end the user observes. The closure that passes it on captures only this, so nothing is allocated for
/// it.
@usableFromInline
final class ObservedRun<Error: Swift.Error>: ProducerRun, @unchecked Sendable {  // As its superclass.
    /// Released at the end, although the user's handle may keep this. Accessed by the source, which is serial.
    @safe @exclusivity(unchecked)
    @usableFromInline var onTermination: ((Termination<Error>) -> Void)?

    @inlinable
    init(_ onTermination: __owned @escaping (Termination<Error>) -> Void) {
        self.onTermination = onTermination
        super.init()
    }

    /// Passes the end on, and ends the run. After a disposal, any end is replaced by an interruption (law P2).
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        onTermination.take()?(isDisposed ? .interrupted : termination)
        dispose()
    }
}
