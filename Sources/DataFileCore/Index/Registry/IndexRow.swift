package import StoreFormat

/// A row of the table `indexes`.
package struct IndexRow {
    package let name: String
    package let kind: IndexInfo.Kind?
    package let store: KeyStoreName
    /// What is indexed, in LiteCore's form; nil in files of before 2.5.
    let expression: String?
    /// In the language of the expression.
    package let condition: String?
    /// The table that belongs to the index; of an array the name before it is hashed.
    package let table: String?
    /// What is not in a lazy vector index yet.
    let lastSequences: String?

    /// The expressions; nil if the row has none.
    ///
    /// Newer rows say the language: `=n` is SQL++ and `=j` JSON. Older ones are JSON if they look
    /// like it.
    var expressions: IndexExpressions? {
        guard let expression else { return nil }
        switch expression.prefix(2) {
        case "=n": return .sqlPlusPlus(String(expression.dropFirst(2)))
        case "=j": return .json(String(expression.dropFirst(2)))
        default:
            let isJSON = expression.hasPrefix("[") || expression.hasPrefix("{")
            return isJSON ? .json(expression) : .sqlPlusPlus(expression)
        }
    }

    /// What it is of; nil if the row does not say, or in a way that this version cannot read.
    package var definition: IndexDefinition? {
        expressions.flatMap { try? IndexDefinition($0, where: condition) }
    }
}

extension IndexExpressions {
    /// The text as it stands in the column `expression`.
    var stored: String {
        switch language {
        case .sqlPlusPlus: "=n" + text
        case .json: "=j" + text
        }
    }
}

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
