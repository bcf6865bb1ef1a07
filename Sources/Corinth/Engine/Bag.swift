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
/// - Complexity: Inserting and removing copy the elements, O(n). Taking a snapshot is O(1).
public struct Bag<Element>: @unchecked Sendable {  // The contents are immutable, in an atomic cell.
    /// Identifies one insertion.
    public struct Token: Equatable, Sendable {
        let number: UInt64
    }

    struct Contents {
        var elements: ContiguousArray<Element> = []
        var numbers: ContiguousArray<UInt64> = []
        var last: UInt64 = 0

        mutating func append(_ element: Element) {
            last += 1
            elements.append(element)
            numbers.append(last)
        }

        /// Numbers ascend, so this is a binary search.
        func index(of token: Token) -> Int? {
            var low = 0
            var high = numbers.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < token.number { low = middle + 1 } else { high = middle }
            }
            return low < numbers.count && numbers[low] == token.number ? low : nil
        }
    }

    private let contents: AtomicReference<Contents>

    /// Creates an empty bag.
    public init() {
        contents = AtomicReference(Contents())
    }

    /// Creates a bag with the elements of a sequence.
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == Element {
        var first = Contents()
        for element in elements { first.append(element) }
        contents = AtomicReference(first)
    }

    /// Appends an element.
    ///
    /// - Returns: The token that removes it.
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
    @discardableResult
    public func remove(using token: Token) -> Element? {
        let old = contents.update { old in
            guard let index = old.index(of: token) else { return nil }
            var new = old
            new.elements.remove(at: index)
            new.numbers.remove(at: index)
            return new
        }
        return old.index(of: token).map { old.elements[$0] }
    }

    /// The current elements, in the order of insertion.
    public var elements: [Element] { Array(contents.load().elements) }

    /// Iterates over the elements as they were when the iterator was made.
    public struct Iterator: IteratorProtocol {
        private var rest: ContiguousArray<Element>.Iterator

        init(_ elements: ContiguousArray<Element>) {
            rest = elements.makeIterator()
        }

        /// The next element.
        public mutating func next() -> Element? { rest.next() }
    }

    /// Iterates over the current elements.
    public func makeIterator() -> Iterator { Iterator(contents.load().elements) }
}

// Not a collection: other threads may change the bag, so count, indices and elements may not match. For a collection, use
// `elements`.
extension Bag: Sequence {
    /// The current number of elements.
    public var count: Int { contents.load().elements.count }

    /// Whether the bag is empty now.
    public var isEmpty: Bool { contents.load().elements.isEmpty }

    /// The oldest element.
    public var first: Element? { contents.load().elements.first }

    /// The newest element.
    public var last: Element? { contents.load().elements.last }

    /// The first index.
    public var startIndex: Int { 0 }

    /// The index after the last one, as of now.
    public var endIndex: Int { count }

    /// The element at an index.
    ///
    /// - Parameter index: At least 0 and less than ``endIndex`` at the time of the call.
    public subscript(index: Int) -> Element {
        let elements = contents.load().elements
        precondition(
            elements.indices.contains(index),
            "index is \(index), but must be at least 0 and less than \(elements.count)")
        return elements[index]
    }
}
