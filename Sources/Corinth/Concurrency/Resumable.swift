/// Work of a scheduler's thread that can stop when what it delivers to is full, and go on when there is room.
@usableFromInline
@safe class Resumable: @unchecked Sendable {  // The link belongs to whoever adds it to a list, or takes it out.
    /// The one that stopped before it.
    @safe @exclusivity(unchecked)
    @usableFromInline final var link: Unmanaged<Resumable>?

    #if Exploration
        /// What stands for the link where the explorer checks that accesses don't overlap.
        private final let mark = Mark()
        private final class Mark: Sendable {}
    #endif

    /// How many bytes of stored properties come before those of a subclass.
    @inlinable static var linkSize: Int {
        #if Exploration
            16
        #else
            8
        #endif
    }

    @usableFromInline
    init() {
        link = nil
    }

    /// Has the work go on. Called once for each stop, on any thread: it only schedules.
    @usableFromInline
    func resume() {}

    /// Called where the link is read or written.
    final func touchLink() {
        #if Exploration
            PlainAccess.write(mark)
        #endif
    }
}

/// Work that is whatever a closure schedules.
@usableFromInline
final class ResumableAction: Resumable, @unchecked Sendable {  // As its superclass.
    private let action: @Sendable () -> Void

    @usableFromInline
    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
        super.init()
    }

    @usableFromInline
    override func resume() { action() }
}
