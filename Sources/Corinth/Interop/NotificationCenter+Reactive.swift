public import Foundation

extension NotificationCenter: ReactiveExtensionsProvider {}

extension Reactive where Base: NotificationCenter {
    /// The notifications of a name and a sender, as they are posted.
    ///
    /// It never ends. It stops to listen when nobody can observe it any more.
    ///
    /// - Parameters:
    ///   - name: The name; nil for any.
    ///   - object: The sender; nil for any. It isn't kept.
    /// ## Concurrency
    /// Callbacks run on the thread that posts.
    public func notifications(
        forName name: Notification.Name?, object: AnyObject? = nil
    ) -> Signal<Notification, Never> {
        Signal { [base] observer, lifetime in
            // The center keeps the closure, and so the input, until it is told not to.
            nonisolated(unsafe) let observer = observer
            nonisolated(unsafe) let token = base.addObserver(forName: name, object: object, queue: nil) {
                notification in
                unsafe observer.send(value: notification)
            }
            lifetime.observeEnded { unsafe base.removeObserver(token) }
        }
    }
}
