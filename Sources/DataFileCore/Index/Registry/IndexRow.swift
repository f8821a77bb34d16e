package import StoreFormat
package import VectorIndex

/// A row of the table `indexes`.
package struct IndexRow {
    package let name: String
    package let kind: IndexInfo.Kind?
    package let store: KeyStoreName
    /// The indexed expressions in LiteCore's form; nil in files from before Couchbase Lite 2.5.
    let expression: String?
    /// The condition, in the language of the expression.
    package let condition: String?
    /// The table that belongs to the index; for an array index, its name before hashing.
    package let table: String?
    /// The sequences that a lazy vector index has not indexed yet.
    let lastSequences: String?
    /// The options of a vector index of this project; nil for other kinds, and for one of another
    /// program.
    package var vectorOptions: VectorIndexOptions?

    /// The expressions; nil if the row has none.
    ///
    /// Newer rows have a prefix for the language: `=n` for SQL++ and `=j` for JSON. Older rows are
    /// JSON if they look like JSON.
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

    /// The parsed definition; nil if the row has none or this version cannot read it.
    package var definition: IndexDefinition? {
        expressions.flatMap { try? IndexDefinition($0, where: condition) }
    }
}

extension IndexExpressions {
    /// The value of the column `expression`.
    var stored: String {
        switch language {
        case .sqlPlusPlus: "=n" + text
        case .json: "=j" + text
        }
    }
}

extension IndexRow {
    /// The schema that the index should have; nil if the registry does not contain its definition,
    /// or this version does not support its kind.
    ///
    /// The options of a full-text index are stored only in its table, so the result has none.
    ///
    /// Throws `StoreError` for a definition that this version does not accept.
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
        case .vector: vectorOptions.map { .vector($0) }
        case nil: nil
        }
    }
}
