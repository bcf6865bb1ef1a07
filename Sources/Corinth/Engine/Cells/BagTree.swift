/// One version of a bag's elements, in the order of insertion: a tree with up to 16 elements in each leaf, and up to 16 trees in each
/// branching node. All leaves are equally deep.
///
/// A change copies the nodes between the root and one leaf, and shares all others with the version from before. So whoever reads
/// that one keeps it, and a change takes O(log insertions).
@frozen
@usableFromInline
enum BagTree<Element> {
    @frozen
    @usableFromInline
    struct Entry {
        /// The number of the insertion. Numbers ascend.
        @usableFromInline let number: UInt64
        @usableFromInline let element: Element

        @inlinable
        init(_ element: Element, _ number: UInt64) {
            self.number = number
            self.element = element
        }
    }

    @frozen
    @usableFromInline
    struct Branch {
        /// The number of the oldest entry that was ever in the tree.
        @usableFromInline let first: UInt64
        @usableFromInline var count: Int
        @usableFromInline var tree: BagTree

        @inlinable
        init(_ tree: BagTree, first: UInt64, count: Int) {
            self.first = first
            self.count = count
            self.tree = tree
        }
    }

    case leaf(ContiguousArray<Entry>)
    case node(ContiguousArray<Branch>)

    @inlinable
    static var width: Int { 16 }

    @inlinable
    static var empty: BagTree { .leaf([]) }

    @inlinable
    var count: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .node(let branches): branches.reduce(0) { $0 + $1.count }
        }
    }

    @inlinable
    var first: Element? {
        switch self {
        case .leaf(let entries): entries.first?.element
        case .node(let branches): branches.first?.tree.first
        }
    }

    @inlinable
    var last: Element? {
        switch self {
        case .leaf(let entries): entries.last?.element
        case .node(let branches): branches.last?.tree.last
        }
    }

    /// The lowest number, or a lower one. 0 if there are no entries.
    @inlinable
    var firstNumber: UInt64 {
        switch self {
        case .leaf(let entries): entries.first?.number ?? 0
        case .node(let branches): branches.first?.first ?? 0
        }
    }

    /// - Parameter index: At least 0 and less than the count.
    @inlinable
    subscript(index: Int) -> Element {
        switch self {
        case .leaf(let entries): return entries[index].element
        case .node(let branches):
            var rest = index
            for branch in branches {
                if rest < branch.count { return branch.tree[rest] }
                rest -= branch.count
            }
            preconditionFailure("index is \(index), but must be less than \(count)")
        }
    }

    /// Appends an entry. Its number must be greater than all others.
    @inlinable
    mutating func append(_ entry: Entry) {
        guard let sibling = grow(by: entry) else { return }
        self = .node([Branch(self, first: firstNumber, count: count), sibling])
    }

    /// Appends an entry to the last leaf. If that is full, returns a tree of the same depth that has the entry.
    @inlinable
    mutating func grow(by entry: Entry) -> Branch? {
        switch self {
        case .leaf(var entries):
            if entries.count == BagTree.width { return Branch(.leaf([entry]), first: entry.number, count: 1) }
            self = .empty  // The array is changed in place if no other version has it.
            entries.append(entry)
            self = .leaf(entries)
        case .node(var branches):
            let last = branches.count - 1
            self = .empty
            defer { self = .node(branches) }
            guard let sibling = branches[last].tree.grow(by: entry) else {
                branches[last].count += 1
                return nil
            }
            if branches.count == BagTree.width { return Branch(.node([sibling]), first: entry.number, count: 1) }
            branches.append(sibling)
        }
        return nil
    }

    /// Removes the entry with a number. Returns nil if there is none.
    @inlinable
    mutating func remove(_ number: UInt64) -> Element? {
        guard let element = cut(number) else { return nil }
        // The root has at least two branches.
        while case .node(let branches) = self, branches.count < 2 { self = branches.first?.tree ?? .empty }
        return element
    }

    @inlinable
    mutating func cut(_ number: UInt64) -> Element? {
        switch self {
        case .leaf(var entries):
            guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
            let element = entries.remove(at: index).element
            self = .leaf(entries)
            return element
        case .node(var branches):
            guard let index = branches.lastIndex(where: { $0.first <= number }) else { return nil }
            guard let element = branches[index].tree.cut(number) else { return nil }
            branches[index].count -= 1
            if branches[index].count == 0 { branches.remove(at: index) }
            self = .node(branches)
            return element
        }
    }

    /// Visits the elements in order. Making one is O(1), and so is a step, on average.
    @frozen
    @usableFromInline
    struct Iterator: IteratorProtocol {
        /// The rest of a leaf.
        @usableFromInline var entries = ContiguousArray<Entry>().makeIterator()

        /// What comes after it in the nodes above it, the root first.
        @usableFromInline var branches: [ContiguousArray<Branch>.Iterator] = []

        @inlinable
        init(_ tree: BagTree) {
            descend(into: tree)
        }

        @inlinable
        mutating func next() -> Element? {
            while true {
                if let entry = entries.next() { return entry.element }
                guard !branches.isEmpty else { return nil }
                if let branch = branches[branches.count - 1].next() {
                    descend(into: branch.tree)
                } else {
                    branches.removeLast()
                }
            }
        }

        @inlinable
        mutating func descend(into tree: BagTree) {
            switch tree {
            case .leaf(let entries): self.entries = entries.makeIterator()
            case .node(let branches): self.branches.append(branches.makeIterator())
            }
        }
    }
}
