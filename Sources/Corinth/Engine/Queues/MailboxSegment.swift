#if !NaiveLocks
    public import CCorinth

    /// Raw memory for some elements and the address of the next segment.
    @frozen
    @usableFromInline
    @safe struct MailboxSegment<Element> {
        @usableFromInline let memory: UnsafeMutableRawPointer

        /// About 4 KiB, and at least 16 elements.
        @inlinable
        static var capacity: Int { max(16, 4096 / MemoryLayout<Element>.stride) }

        /// Where the elements begin, behind the address of the next segment.
        @inlinable
        static var offset: Int { max(MemoryLayout<Element>.alignment, 8) }

        @inlinable
        init() {
            unsafe memory = .allocate(
                byteCount: MailboxSegment.offset + MailboxSegment.capacity * MemoryLayout<Element>.stride,
                alignment: MailboxSegment.offset)
            next = nil
        }

        @inlinable
        init?(address: UInt64) {
            guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: UInt(address)) else { return nil }
            unsafe self.memory = unsafe memory
        }

        @inlinable
        var address: UInt64 { unsafe UInt64(UInt(bitPattern: memory)) }

        @inlinable
        var next: MailboxSegment? {
            get { unsafe MailboxSegment(address: memory.load(as: UInt64.self)) }
            nonmutating set { unsafe memory.storeBytes(of: newValue?.address ?? 0, as: UInt64.self) }
        }

        @inlinable
        func slot(_ index: Int) -> UnsafeMutablePointer<Element> {
            unsafe (memory + MailboxSegment.offset).assumingMemoryBound(to: Element.self) + index
        }

        /// Prefetches an element, or the last one if `index` is beyond the end, while the caller continues.
        @inlinable
        func prefetch(at index: Int) {
            unsafe ccorinth_prefetch_for_write(slot(min(index, MailboxSegment.capacity - 1)))
        }

        @inlinable
        func put(_ element: Element, at index: Int) { unsafe slot(index).initialize(to: element) }

        @inlinable
        func take(at index: Int) -> Element { unsafe slot(index).move() }

        /// Frees a list of segments.
        @inlinable
        static func deallocate(from first: MailboxSegment?) {
            var rest = first
            while let segment = rest {
                rest = segment.next
                segment.deallocate()
            }
        }

        @inlinable
        func deallocate() { unsafe memory.deallocate() }
    }
#endif
