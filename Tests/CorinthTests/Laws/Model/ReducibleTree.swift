/// A tree of operators that can be made smaller, to find the smallest one that breaks a law.
protocol ReducibleTree {
    var children: [Self] { get }

    /// The same node with other children, as many as it has.
    func with(_ children: [Self]) -> Self

    /// Trees with one part less.
    var reductions: [Self] { get }
}

extension ReducibleTree {
    /// Each child alone, then this tree with one child reduced.
    var reducedParts: [Self] {
        var result = children
        for (index, child) in children.enumerated() {
            for smaller in child.reductions {
                var children = children
                children[index] = smaller
                result.append(with(children))
            }
        }
        return result
    }
}
