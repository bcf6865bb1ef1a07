public import Corinth
public import Foundation

extension NotificationCenter: ReactiveExtensionsProvider {}

extension Reactive where Base: NotificationCenter {
    /// The notifications of a name and a sender.
    ///
    /// The signal never ends. It stops observing the center when it can no longer be observed.
    ///
    /// - Parameters:
    ///   - name: The name. nil for any name.
    ///   - object: The sender. nil for any sender. It isn't kept.
    /// ## Concurrency
    /// Callbacks run on the thread that posts.
    public func notifications(
        forName name: Notification.Name?, object: AnyObject? = nil
    ) -> Signal<Notification, Never> {
        Signal { [base] observer, lifetime in
            // The center keeps the closure, and so the observer, until the closure is removed.
            nonisolated(unsafe) let observer = observer
            nonisolated(unsafe) let token = base.addObserver(forName: name, object: object, queue: nil) {
                notification in
                unsafe observer.send(value: notification)
            }
            lifetime.observeEnded { unsafe base.removeObserver(token) }
        }
    }
}
