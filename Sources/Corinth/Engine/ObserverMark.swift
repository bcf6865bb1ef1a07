/// What an observer can be disposed of by.
@usableFromInline
class ObserverMark: @unchecked Sendable {  // An atomic flag.
    /// Raised by the disposal.
    @usableFromInline final let flag: AtomicFlag

    @inlinable
    init(isDisposed: Bool = false) {
        flag = AtomicFlag(isDisposed ? .raised : .lowered)
    }

    /// In the slot of an observer that was removed.
    static let removed = ObserverMark(isDisposed: true)
}
