/// A stack to which any thread pushes, and which one thread at a time takes as a whole: R. K. Treiber, “Systems Programming:
/// Coping with Parallelism”, IBM RJ 5118, 1986.
///
/// The word holds the address of the newest node, or 0. Each node holds the address of the one below. Single nodes are never
/// popped, so a reused address does no harm (no ABA problem).
@frozen
@usableFromInline
struct AtomicStack: ~Copyable, Sendable {
    @usableFromInline let word = AtomicWord()

    @inlinable @inline(__always)
    init() {}

    /// Whether the stack is empty, as far as this thread knows.
    @inlinable
    var isEmpty: Bool { word.load(.relaxed) == 0 }

    /// Pushes the node at an address.
    ///
    /// - Parameters:
    ///   - order: At least release, which publishes the node. Pairs with the acquire in ``takeAddress(site:)``.
    /// - link: Writes the address of the node below into the node. Runs again if another thread has changed the word.
    /// - Returns: Whether the stack was empty.
    @inlinable @inline(__always)
    @discardableResult
    func push(
        _ address: UInt64, _ order: UpdateOrder = .release, site: StaticString = #function, link: (UInt64) -> Void
    ) -> Bool {
        word.update(order, site: site) { (below: UInt64) in
            link(below)
            return address
        }.old == 0
    }

    /// Empties the stack, and returns the address of the newest node, or 0.
    @inlinable @inline(__always)
    func takeAddress(site: StaticString = #function) -> UInt64 { word.exchange(0, .acquire, site: site) }
}

/// An object that lies in an ``AtomicStack``, which retains it.
protocol StackNode: AnyObject {
    /// The address of the node below, or of the next one after ``AtomicStack/takeAllInOrder(_:site:)``; 0 for none. Owned by the
    /// pushing thread, then by the taking thread.
    var below: UInt64 { get set }
}

extension AtomicStack {
    /// Pushes a node.
    ///
    /// - Returns: Whether the stack was empty.
    @discardableResult
    func push(_ node: some StackNode, _ order: UpdateOrder = .release, site: StaticString = #function) -> Bool {
        push(node.retainedAddress, order, site: site) { below in
            PlainAccess.write(node)
            node.below = below
        }
    }

    /// Empties the stack, and returns its newest node. The others are reached through ``StackNode/takeBelow()``.
    func takeAll<Node: StackNode>(_ type: Node.Type = Node.self, site: StaticString = #function) -> Node? {
        Node.retained(at: takeAddress(site: site))
    }

    /// Empties the stack, and returns its oldest node. From there, ``StackNode/takeBelow()`` leads to the next newer one.
    func takeAllInOrder<Node: StackNode>(_ type: Node.Type = Node.self, site: StaticString = #function) -> Node? {
        var rest = takeAll(type, site: site)
        var oldest: Node?
        while let node = rest {
            rest = node.takeBelow()
            if let newer = oldest { node.below = newer.retainedAddress }
            oldest = node
        }
        return oldest
    }
}

extension StackNode {
    /// Returns the node below and clears this node's reference to it.
    func takeBelow() -> Self? {
        PlainAccess.read(self)
        let address = below
        below = 0
        return Self.retained(at: address)
    }

    fileprivate var retainedAddress: UInt64 {
        unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))
    }

    fileprivate static func retained(at address: UInt64) -> Self? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
        // Retained by `push(_:_:site:)`.
        return unsafe Unmanaged<Self>.fromOpaque(pointer).takeRetainedValue()
    }
}
