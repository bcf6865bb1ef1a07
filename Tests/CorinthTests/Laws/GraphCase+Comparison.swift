extension GraphCase {
    /// Whether the library behaves as the reference model does. nil if the model can't predict the outcome.
    var matchesModel: Bool? { ReferenceModel.run(self).map { GraphOnCorinth.run(self) == $0 } }

    /// The smallest case with another outcome in the library than in the model, made of this one by the removal of operators,
    /// sources and stimuli.
    var smallestMismatch: GraphCase {
        var smallest = self
        while let smaller = smallest.reductions.first(where: { $0.matchesModel == false }) { smallest = smaller }
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
