#if NATS
/// The sessions of each key that aren't over, as ranges of milliseconds since 1970. Those of a key don't overlap.
///
/// They are the sets of a union-find that never splits: a message is a range of its own, from its date to `gap` behind it, and joins those
/// that it overlaps (merging windows, as in "The Dataflow Model", Akidau and others, 2015).
struct SessionTable {
    let gap: Int64
    private var open: [String: [Range<Int64>]] = [:]

    init(gap: Int64) { self.gap = gap }

    /// A message prolongs the sessions that it overlaps, so that one is made of them, or begins one.
    ///
    /// No two sessions of a key ever have the same beginning, also if one of them was closed before: the beginning moves only to a date
    /// that is too new for a closed one.
    ///
    /// - Parameter isOver: Whether a session that ends at a time is closed.
    /// - Returns: The session, and those that it has taken in, in their order. The first has its beginning, unless the message is
    ///   earlier. nil if it is late.
    mutating func add(
        _ date: Int64, to key: String, isOver: (Int64) -> Bool
    ) -> (session: Range<Int64>, joined: [Range<Int64>])? {
        let own = date..<(date + gap)
        let sessions = open[key] ?? []
        let joined = sessions.filter { $0.overlaps(own) && !isOver($0.upperBound) }
            .sorted { $0.lowerBound < $1.lowerBound }
        let begin = min(joined.first?.lowerBound ?? date, date)
        if begin == date, isOver(own.upperBound), joined.first?.lowerBound != date { return nil }
        let session = begin..<max(joined.last?.upperBound ?? own.upperBound, own.upperBound)
        open[key] = sessions.filter { !joined.contains($0) } + [session]
        return (session, joined)
    }

    /// A session that was stored.
    mutating func restore(_ session: Range<Int64>, of key: String) { open[key, default: []].append(session) }

    /// A session is closed, or was removed.
    mutating func remove(_ begin: Int64, of key: String) {
        open[key]?.removeAll { $0.lowerBound == begin }
        if open[key]?.isEmpty == true { open[key] = nil }
    }
}
#endif
