internal import StoreFormat

/// The SQL++ text of a statement, which locates the errors of its translation.
///
/// A statement is parsed and translated without positions. Only after an error both are repeated
/// with positions, so that a translation that succeeds does not pay for them.
package final class QueryText: Sendable {
    package let text: String
    /// The collection that `_` names; nil for the default collection.
    private let collection: QueryCollectionName?

    package init(_ text: String, in collection: QueryCollectionName? = nil) {
        self.text = text
        self.collection = collection
    }

    /// The error with its position in the text.
    ///
    /// - Parameters:
    ///   - error: an error of translating the statement, or a query that is derived from it.
    ///   - options: the options of that translation.
    ///   - catalog: its catalog.
    /// - Returns: the error itself if it is not one of meaning, or if the statement does not cause
    ///   an equal one when it is translated again.
    package func located(
        _ error: any Error, _ options: TranslationOptions, _ catalog: any QueryCatalog
    ) -> any Error {
        guard let known = error as? StoreError, known.canBeLocated else { return error }
        do {
            var statement = try SQLPPParser.statement(text, hasPositions: true)
            if let collection { statement = CurrentCollection(collection).statement(statement) }
            _ = try QueryTranslation(statement.selection, options, catalog, QueryOrigins())
            return error
        } catch let found as StoreError where found.isEqual(to: known) {
            return located(known, found.underlying as? ErrorOffset)
        } catch {
            // Another error, or a cancellation.
            return known
        }
    }

    /// - Parameter offset: nil for an error of the statement as a whole, which begins with the
    ///   first token.
    private func located(_ error: StoreError, _ offset: ErrorOffset?) -> StoreError {
        let bytes = Array(text.utf8)
        let offset =
            offset?.offset ?? SQLPPLexer.tokens(of: bytes).first?.range.lowerBound ?? 0
        let (line, column) = bytes.lineAndColumn(at: offset)
        let found = QuerySemanticError(line: line, column: column, reason: error.message)
        return StoreError(
            domain: error.domain, code: error.code, "\(found)", underlying: found)
    }
}

extension StoreError {
    fileprivate func isEqual(to other: StoreError) -> Bool {
        domain == other.domain && code == other.code && message == other.message
    }
}
