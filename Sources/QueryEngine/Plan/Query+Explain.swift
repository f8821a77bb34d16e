public import DataFileCore
internal import QueryLanguage

extension Query {
    /// How the query would be executed now. Nothing of it is run.
    ///
    /// - Parameter parameters: values that it would be run with: with some it is another statement.
    ///
    /// Throws as `rows` does; of an `UPDATE` or `DELETE` it is the plan of finding the documents.
    public func explain(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:]
    ) throws -> QueryPlan {
        let query = try QueryEdit.selection(of: statement).map { Query(.select($0)) } ?? self
        let prepared = try query.prepared(
            in: snapshot, QueryTranslation.Options().with(parameters))
        let analysis = try QueryAnalysis(query.statement, in: snapshot)
        let steps = try PlanReader(prepared, analysis, snapshot).steps()
        return QueryPlan(query: sqlPlusPlus, sql: prepared.sql, steps: steps)
    }
}
