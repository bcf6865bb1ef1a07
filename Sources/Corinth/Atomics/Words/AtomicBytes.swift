public import CCorinth

/// Eight bytes, each an atomic with one writer. See ``AtomicWord``.
@frozen
@usableFromInline
@safe struct AtomicBytes: ~Copyable, Sendable {
    @usableFromInline let word = AtomicWord()

    @inlinable @inline(__always)
    init() {}

    @inlinable
    var address: UnsafeMutablePointer<UInt8> {
        @inline(__always)
        get { unsafe UnsafeMutableRawPointer(word.address).assumingMemoryBound(to: UInt8.self) }
    }

    @inlinable @inline(__always)
    func load(_ index: Int, _ order: LoadOrder, site: StaticString = #function) -> UInt8 {
        #if Exploration
            let index = index % Explorer.bytes
            if case .stale(let older) = unsafe Explorer.before(.load(order), onByte: address + index, at: site) {
                return UInt8(truncatingIfNeeded: older)
            }
        #endif
        return switch order {
        case .relaxed: unsafe ccorinth_load_byte_relaxed(address + index)
        case .acquire, .sequential: unsafe ccorinth_load_byte_acquire(address + index)
        }
    }

    @inlinable @inline(__always)
    func store(_ value: UInt8, _ index: Int, _ order: StoreOrder, site: StaticString = #function) {
        #if Exploration
            let index = index % Explorer.bytes
            let operation = Explorer.Operation.store(order, value: UInt64(value))
            if unsafe Explorer.before(operation, onByte: address + index, at: site) == .done { return }
        #endif
        switch order {
        case .relaxed: unsafe ccorinth_store_byte_relaxed(address + index, value)
        case .release, .sequential: unsafe ccorinth_store_byte_release(address + index, value)
        }
    }
}
