internal import CCorinth

extension ccorinth_layout {
    /// Says where streams have their strands, and the observations by which they get their values.
    fileprivate mutating func describeStreams() {
        let (strand, composite) = (Strand(), CompositeDisposable())
        let signal = SignalState(strand: strand, resources: composite)
        self.strand = LayoutSample(signal).offset(of: strand)
        resources = LayoutSample(signal).offset(of: composite)
        let disposables = [AnyDisposable(), AnyDisposable()]
        let entries = disposables.compactMap { composite.add($0) as AnyObject? }
        first = LayoutSample(composite).offset(of: entries[0])
        next = LayoutSample(entries[0]).offset(of: entries[1])
        contents = LayoutSample(entries[0]).offset(of: disposables[0])

        let joined = JoinedObservations([])
        unsafe joined_class = UInt64(
            UInt(bitPattern: unsafeBitCast(JoinedObservations.self, to: UnsafeRawPointer.self)))
        // Its only field.
        self.joined = unsafe LayoutSample(joined).offset(
            of: UnsafeRawPointer(_getUnsafePointerToStoredProperties(joined)))
        let array = [AnyObject](repeating: joined, count: 1_001)
        let sample = unsafe LayoutSample(at: unsafeBitCast(array, to: UnsafeRawPointer.self))
        array_count = sample.offset(of: 1_001)
        array_elements = sample.offset(of: joined)
        withExtendedLifetime((signal, disposables, entries, array)) {}
    }
}

/// Called once, when the first object enters the registry.
@c(ccorinth_describe_objects)
func describeObjects(_ layout: UnsafeMutablePointer<ccorinth_layout>) {
    unsafe layout.pointee.describeQueues()
    unsafe layout.pointee.describeStreams()
    unsafe layout.pointee.is_complete = 1
}
