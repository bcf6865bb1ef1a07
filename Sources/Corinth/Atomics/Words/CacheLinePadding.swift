/// Unused bytes between two fields that different threads write. The fields are on different cache lines, wherever the object
/// begins: without this, each write would take the line from the other thread's processor.
///
/// A line has 64 bytes on x86-64 and on most ARM processors. 128 bytes, which would also separate pairs of lines that some
/// processors fetch together, made nothing faster on the processors measured (AMD EPYC): two and four threads that send to one
/// signal, hops to a queue and to a thread, a dropping mailbox.
@frozen
@usableFromInline
struct CacheLinePadding: Sendable {
    @usableFromInline typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    @usableFromInline let words: Words = (0, 0, 0, 0, 0, 0, 0, 0)

    /// In bytes, for the offsets of the fields behind it.
    @inlinable static var size: Int { MemoryLayout<Words>.size }

    @inlinable
    init() {}
}
