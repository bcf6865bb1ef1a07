import Foundation

/// Waits until a condition holds: an event may be delivered by another thread, after the call that has sent it has returned.
///
/// - Returns: Whether it has come to hold, within a time that is far too long.
func eventually(_ condition: () -> Bool) -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
        if ContinuousClock.now > limit { return false }
        Thread.sleep(forTimeInterval: 0.001)
    }
    return true
}
