/// A time of day at which a sleeping thread wakes up.
struct WakeTime: Equatable, Sendable {
    /// Since 1970.
    let seconds: Int64
    let nanoseconds: Int32

    /// So many seconds after the beginning of 1970, rounded up; a time that never comes, if there are too many for a clock.
    init(since1970 interval: Double) {
        let bounded = interval.isNaN ? 0 : min(max(interval, 0), 1e11)
        let whole = bounded.rounded(.down)
        let part = ((bounded - whole) * 1e9).rounded(.up)
        seconds = Int64(whole) + (part >= 1e9 ? 1 : 0)
        nanoseconds = part >= 1e9 ? 0 : Int32(part)
    }
}
