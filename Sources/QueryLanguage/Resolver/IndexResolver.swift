internal import FleeceLite
internal import StoreFormat

/// Resolves the names in an expression of an index, whose only source is the documents, or the
/// elements of their arrays.
package enum IndexResolver {
    /// What an index expression reads.
    package enum Rows {
        /// The bodies of a table of records, whose columns have this prefix, such as `new.`.
        case documents(prefix: String)
        /// The elements of an array, in a table of their own.
        case elements
    }

    /// Resolves the names of an expression.
    ///
    /// - Throws: `.invalidQuery` for an expression that is not allowed in an index.
    package static func resolve(
        _ expression: QueryExpression, _ rows: Rows
    ) throws -> BoundExpression {
        try QueryResolver.resolve(expression, of: source(rows))
    }

    private static func source(_ rows: Rows) -> ResolvedSource {
        switch rows {
        case .documents(let prefix):
            ResolvedSource(
                alias: "", sqlAlias: String(prefix.dropLast()), kind: .indexedDocuments)
        case .elements: ResolvedSource(alias: "", sqlAlias: "", kind: .indexedElements)
        }
    }
}
