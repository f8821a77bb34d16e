internal import DataFileCore
internal import QueryLanguage

extension Query {
    /// Another query that is derived from this one, and whose errors are in the same text.
    init(_ statement: QueryStatement, from query: Query) {
        self.init(Query(statement), text: query.text)
    }

    /// Translates the query, or a part of it. An error of meaning gets its position in the text, if
    /// the query was written as text.
    ///
    /// - Parameter translate: what can fail; it is not called again to find the position.
    func locatingErrors<T>(
        in snapshot: Snapshot, _ options: TranslationOptions = TranslationOptions(),
        _ translate: () throws -> T
    ) throws -> T {
        do {
            return try translate()
        } catch {
            guard let text else { throw error }
            throw text.located(error, options, SnapshotCatalog(snapshot))
        }
    }
}
