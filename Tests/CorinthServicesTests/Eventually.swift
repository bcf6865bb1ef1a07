/// Lets others run until a condition holds: an event may be delivered by another thread, after the call that has sent it has returned.
///
/// - Returns: Whether it has come to hold, within a time that is far too long.
func eventually(_ condition: () -> Bool) async -> Bool {
    let limit = ContinuousClock.now + .seconds(60)
    while !condition() {
        if ContinuousClock.now > limit { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
