/// A disposable that can end without being disposed of. Disposing of it changes nothing then, but its `isDisposed` is still false.
protocol EndingDisposable: Disposable {
    /// Whether it has ended or was disposed of.
    var hasEnded: Bool { get }
}

extension Disposable {
    /// Whether disposing of this would do nothing.
    var isOver: Bool { isDisposed || (self as? any EndingDisposable)?.hasEnded == true }
}
