// What ``Inspector`` asks a signal that it retains.

extension SignalState {
    /// The addresses of the observations by which this signal gets its values, as an operator with a strand of its own does.
    final var observations: [UInt] {
        guard let contents = unsafe ownResources?.takeUnretainedValue().contents else { return [] }
        return contents.flatMap { disposable in
            switch disposable {
            case let observation as Observation: [observation.address]
            case let joined as JoinedObservations: joined.observations.map(\.address)
            default: [UInt]()
            }
        }
    }
}

extension Observation {
    fileprivate var address: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}
