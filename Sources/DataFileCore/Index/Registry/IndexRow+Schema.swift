extension IndexRow {
    /// What the index should consist of; nil if the registry does not say how it is defined, or it
    /// is of a kind that this version does not keep.
    ///
    /// The options of a full-text index stand in its table only: here it has none.
    ///
    /// Throws `StoreError` for a definition that this version does not take.
    package func definedSchema() throws -> IndexSchema? {
        guard let expressions, let kind = specKind else { return nil }
        return try IndexSpec(name, kind, on: expressions, where: condition).schema(of: store)
    }

    private var specKind: IndexSpec.Kind? {
        switch kind {
        case .value: .value
        case .fullText: .fullText(FullTextOptions())
        case .array: arrayPath.map { .array(path: $0) }
        case .predictive: .predictive(PredictiveOptions())
        case .vector, nil: nil
        }
    }
}
