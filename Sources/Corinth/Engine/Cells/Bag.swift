/// A collection in insertion order, from which elements are removed by token.
///
/// ```swift
/// let bag = Bag<String>()
/// let token = bag.insert("one")
/// bag.remove(using: token)
/// ```
///
/// A bag is a handle: copies of it are the same bag.
///
/// ## Concurrency
/// Any thread may insert, remove and iterate at any time, without locks. An iteration, such as `for`, `map` or `Array(bag)`,
/// visits the elements as they were when it began. Indices are valid only until an element is removed. If other threads may
/// remove elements, use ``elements``.
///
/// - Complexity: Inserting and removing take O(log insertions), beginning an iteration O(1), and its steps O(1) on average.
public struct Bag<Element>: @unchecked Sendable {  // The contents are immutable, in an atomic cell.
    /// Identifies one insertion.
    @frozen
    public struct Token: Equatable, Sendable {
        @usableFromInline let number: UInt64

        @inlinable
        init(number: UInt64) {
            self.number = number
        }
    }

    @frozen
    @usableFromInline
    struct Contents {
        @usableFromInline var tree = BagTree<Element>.empty

        /// The number of the last insertion.
        @usableFromInline var last: UInt64 = 0

        @inlinable
        init() {}

        @inlinable
        mutating func append(_ element: Element) {
            last += 1
            tree.append(BagTree.Entry(element, last))
        }
    }

    @usableFromInline let contents: AtomicReference<Contents>

    /// Creates an empty bag.
    @inlinable
    public init() {
        contents = AtomicReference(Contents())
    }

    /// Creates a bag with the elements of a sequence.
    @inlinable
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == Element {
        var first = Contents()
        for element in elements { first.append(element) }
        contents = AtomicReference(first)
    }

    /// Appends an element.
    ///
    /// - Returns: The token that removes it.
    @inlinable
    @discardableResult
    public func insert(_ element: Element) -> Token {
        let old = contents.update { old in
            var new = old
            new.append(element)
            return new
        }
        return Token(number: old.last + 1)
    }

    /// Removes an element and returns it; nil if it was already removed.
    @inlinable
    @discardableResult
    public func remove(using token: Token) -> Element? {
        var removed: Element?
        contents.update { old in
            var new = old
            removed = new.tree.remove(token.number)
            return removed == nil ? nil : new
        }
        return removed
    }

    /// The current elements, in the order of insertion.
    ///
    /// - Complexity: O(n), and one array.
    @inlinable
    public var elements: [Element] {
        let tree = contents.load().tree
        var elements: [Element] = []
        elements.reserveCapacity(tree.count)
        var rest = BagTree.Iterator(tree)
        while let element = rest.next() { elements.append(element) }
        return elements
    }

    /// Iterates over the elements as they were when the iterator was made.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var rest: BagTree<Element>.Iterator

        @inlinable
        init(_ tree: BagTree<Element>) {
            rest = BagTree.Iterator(tree)
        }

        /// The next element.
        @inlinable
        public mutating func next() -> Element? { rest.next() }
    }

    /// Iterates over the current elements.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(contents.load().tree) }
}

// Not a collection: other threads may change the bag, so count, indices and elements may not match. For a collection, use
// `elements`.
extension Bag: Sequence {
    /// The current number of elements.
    @inlinable
    public var count: Int { contents.load().tree.count }

    /// Whether the bag is empty now.
    @inlinable
    public var isEmpty: Bool { contents.load().tree.count == 0 }

    /// The oldest element.
    @inlinable
    public var first: Element? { contents.load().tree.first }

    /// The newest element.
    @inlinable
    public var last: Element? { contents.load().tree.last }

    /// The first index.
    @inlinable
    public var startIndex: Int { 0 }

    /// The index after the last one, as of now.
    @inlinable
    public var endIndex: Int { count }

    /// The element at an index.
    ///
    /// - Parameter index: At least 0 and less than ``endIndex`` at the time of the call.
    @inlinable
    public subscript(index: Int) -> Element {
        let tree = contents.load().tree
        let count = tree.count
        precondition(0..<count ~= index, "index is \(index), but must be at least 0 and less than \(count)")
        return tree[index]
    }
}
