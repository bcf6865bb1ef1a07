#if NATS
/// The parts in which the owner of a partition has stored its state, and of which keys each is.
///
/// A new part takes in all those before it that are less than twice as large, so that each is at least twice as large as the next
/// one. So there are few, and a change is written O(log(state/change)) times in all, in place of the state. The idea is that of the
/// log-structured merge-tree (O'Neil, Cheng, Gawlick and O'Neil, 1996).
struct StateParts<Key: Hashable> {
    private struct Part {
        var keys: [Key]
        var bytes: Int
    }

    private var parts: [Part] = []

    /// How many parts stay as they are if as many bytes are to be stored.
    func kept(behind bytes: Int) -> Int {
        var (kept, size) = (parts.count, bytes)
        while kept > 0, parts[kept - 1].bytes < 2 * size {
            kept -= 1
            size += parts[kept].bytes
        }
        return kept
    }

    /// The keys of the parts behind those that stay.
    func keys(behind kept: Int) -> some Sequence<Key> { parts[kept...].lazy.flatMap(\.keys) }

    /// A part was written that takes the place of those behind the ones that stay.
    mutating func write(_ keys: [Key], _ bytes: Int, behind kept: Int) {
        parts.removeSubrange(kept...)
        if bytes > 0 { parts.append(Part(keys: keys, bytes: bytes)) }
    }
}
#endif
