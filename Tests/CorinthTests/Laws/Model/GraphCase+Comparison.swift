extension GraphCase {
    /// Whether the library behaves as the reference model does. nil if the model can't predict the outcome.
    var matchesModel: Bool? { ReferenceModel.run(self).map { GraphOnCorinth.run(self) == $0 } }

    /// The smallest case with another outcome in the library than in the model.
    var smallestMismatch: GraphCase { smallest { $0.matchesModel == false } }

    /// The smallest case that still has a property, made of this one by the removal of operators, sources and stimuli.
    func smallest(_ hasProperty: (GraphCase) -> Bool) -> GraphCase {
        var smallest = self
        while let smaller = smallest.reductions.first(where: hasProperty) { smallest = smaller }
        return smallest
    }

    /// The case as the Swift expression that makes it, and both outcomes.
    var comparison: String {
        """
        \(self)
        library: \(GraphOnCorinth.run(self))
        model:   \(ReferenceModel.run(self)?.description ?? "ambiguous")
        """
    }
}
