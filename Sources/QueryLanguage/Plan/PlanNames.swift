/// What the aliases of a plan's SQL stand for, to describe how SQLite executes it.
package struct PlanNames {
    /// The names of sources in the query, by their SQL aliases.
    package private(set) var sources: [String: String] = [:]
    /// The tables of collections, by their SQL aliases.
    package private(set) var tables: [String: String] = [:]
    /// The sources that are elements of arrays, read by a table function.
    package private(set) var elementSources: Set<String> = []
    /// The tables of array indexes.
    package private(set) var elementTables: Set<String> = []
    /// The full-text indexes that the query is joined with, by their SQL aliases.
    package private(set) var fullTextIndexes: [String: String] = [:]
    /// The searches in vector indexes of this project, by their SQL aliases.
    package private(set) var vectorSearches: [String: NearestPlan] = [:]

    package init(_ plan: QueryStatementPlan) {
        var names = PlanNames()
        plan.rows.visit {
            if case .isInRows(_, .lookup(let lookup), _) = $0 { names.add(lookup) }
            $0.rows?.visitSources { names.add($0) }
        } _: {
            names.add($0)
        }
        self = names
    }

    private init() {}

    private mutating func add(_ lookup: SQLLookup) {
        let table = lookup.table.unquotedSQLName
        sources[table] = lookup.title
        if lookup.isOfElements { elementTables.insert(table) }
    }

    private mutating func add(_ source: SourcePlan) {
        guard let alias = source.alias?.unquotedSQLName else { return }
        if case .nearest(let search) = source.table, search.ownName != nil {
            vectorSearches[alias] = search
        }
        guard let title = source.title else { return }
        switch title {
        case .documents(let name):
            sources[alias] = name
            if case .table(let table) = source.table { tables[alias] = table }
            if case .withTombstones(let table, _, _) = source.table { tables[alias] = table }
        case .rows(let name): sources[alias] = name
        case .elements(let name):
            sources[alias] = name
            elementSources.insert(alias)
        case .elementTable(let name):
            sources[alias] = name
            elementTables.insert(alias)
        case .fullTextIndex(let name): fullTextIndexes[alias] = name
        }
    }
}

extension RowsPlan {
    fileprivate func visitSources(_ body: (SourcePlan) -> Void) {
        visit({ _ in }, body)
    }
}
