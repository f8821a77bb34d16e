package import FleeceLite
internal import StoreFormat

/// The names that are visible in expressions of a query, and what they refer to.
package final class QueryScope {
    /// The state that all parts of one translation share.
    let translation: QueryTranslation
    /// The scope of the outer query.
    let outer: QueryScope?
    package var sources: [ScopeSource] = []
    /// The names of `LET` and of results, which stand for their expressions.
    private(set) var names: [ScopeName] = []
    /// The indexes of the names with the same text, in ascending order.
    private var numbersByName: [ExactString: [Int]] = [:]
    /// The indexes of the names that are equal case-insensitively.
    private var numbersByLowercaseName: [ExactString: [Int]] = [:]
    /// The number of `LET` names, which come first.
    var bindingCount = 0
    /// The number of visible names: those before the name whose expression is being written.
    var visibleNames = 0
    /// Sources of the outer query that a subquery in its `FROM` cannot see.
    var hiddenSources: [String] = []
    /// The CTEs that are visible to subqueries.
    var tablesByName: [SQLQueryWriter.CTE] = []
    /// Index tables that the query is joined with.
    var joins: [ScopeJoin] = []
    /// Whether index tables can be joined now, which requires that all sources are known.
    var takesJoins = false
    /// Whether index values are unambiguous, so that subtypes are not needed.
    var trustsIndexes = false
    /// Whether a property in the form of results is read from the body by a single function call.
    var joinsResults = false
    /// The tables that expressions have used.
    var usedTables: Set<String> = []
    /// The columns of a grouped query; nil for a query without groups.
    var groups: GroupColumns?

    init(_ translation: QueryTranslation, outer: QueryScope?) {
        self.translation = translation
        self.outer = outer
    }

    /// Adds a name for an expression.
    func add(_ name: ScopeName) {
        numbersByName[ExactString(name.name), default: []].append(names.count)
        let lowercase = ExactString(name.name.asciiLowercased)
        numbersByLowercaseName[lowercase, default: []].append(names.count)
        names.append(name)
    }

    /// Whether an expression has this name.
    func hasName(_ name: String) -> Bool { numbersByName[ExactString(name)] != nil }

    /// A name for an expression.
    struct ScopeName {
        let name: String
        let expression: QueryExpression
    }
}

/// An item of `FROM`.
package struct ScopeSource {
    package enum Kind {
        /// Documents.
        case records(QueryTable)
        /// Elements of an array, by `fl_each`: the SQL alias of the source, and the path of the
        /// array.
        case elements(of: String, array: PropertyPath)
        /// Elements of an array, in the table of its index.
        case indexed(QueryIndexes.ElementTable, IndexedArray)
        /// Rows of a subquery, with their column names; in SQL the columns are `c1`, `c2`, ….
        case rows(QueryColumns)
    }

    /// An array whose elements are in an index table.
    package struct IndexedArray {
        /// The SQL alias of the documents that contain the array.
        let table: String
        /// The SQL that reads the elements from the document itself.
        let rows: String
        /// Whether it is within the elements of another array, which the index stores as copies.
        let isNested: Bool

        /// An array in documents with this `body` column.
        init(table: String, body: String, path: String) {
            self.init(table, body, path, isNested: false)
        }

        /// An array in the elements of another array, whose SQL alias is `elements`.
        init(in outer: IndexedArray, elements: String, path: String) {
            let body = "(SELECT body FROM \(outer.rows) WHERE rowid = \(elements).i)"
            self.init(outer.table, body, path, isNested: true)
        }

        private init(_ table: String, _ body: String, _ path: String, isNested: Bool) {
            (self.table, self.isNested) = (table, isNested)
            rows = "fl_each(\(body), \(path.sqlLiteral))"
        }
    }

    /// Its name in the query.
    package let alias: String
    /// The scope of a collection that can be named `scope.collection`.
    let prefix: String?
    /// Its alias in SQL.
    package let sql: String
    package let kind: Kind
    /// Whether the documents include tombstones.
    var includesDeleted = false
    /// Whether a row may lack this source, because it is joined with LEFT.
    var isOptional = false

    var isRecords: Bool { if case .records = kind { true } else { false } }

    /// The rest of a path that begins with the source name; nil if it does not.
    func rest(of path: PropertyPath, _ comparison: NameComparison) -> PropertyPath? {
        let components = path.components
        guard case .key(let first) = components.first else { return nil }
        if let prefix, comparison.areEqual(first, prefix), components.count > 1,
            case .key(let second) = components[1], comparison.areEqual(second, alias)
        {
            return PropertyPath(Array(components.dropFirst(2)))
        }
        if comparison.areEqual(first, alias) {
            return PropertyPath(Array(components.dropFirst()))
        }
        return restBehindDefault(of: path) ?? restBehindDottedAlias(of: path, comparison)
    }

    /// The rest of a path that begins with the full name of the default collection, whose short
    /// name is `_`.
    private func restBehindDefault(of path: PropertyPath) -> PropertyPath? {
        guard isRecords, prefix == nil, alias == "_",
            path.components.starts(with: [.key("_default"), .key("_default")])
        else { return nil }
        return PropertyPath(Array(path.components.dropFirst(2)))
    }

    /// The rest of a path that begins with an alias that contains dots.
    private func restBehindDottedAlias(
        of path: PropertyPath, _ comparison: NameComparison
    ) -> PropertyPath? {
        guard alias.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let names = alias.split(separator: ".", omittingEmptySubsequences: false)
        guard path.components.count >= names.count else { return nil }
        for (name, component) in zip(names, path.components) {
            guard case .key(let key) = component, comparison.areEqual(key, String(name)) else {
                return nil
            }
        }
        return PropertyPath(Array(path.components.dropFirst(names.count)))
    }

    /// Whether `META(name)` refers to this source.
    func isCalled(_ name: String, _ comparison: NameComparison) -> Bool {
        comparison.areEqual(name, alias) || comparison.areEqual(name, fullName)
    }

    /// Its name with its scope, which distinguishes it from a collection with the same name.
    var fullName: String { prefix.map { $0 + "." + alias } ?? alias }
}

extension [ScopeSource] {
    /// The source whose name a path begins with, and the rest of the path. The longest matching
    /// name wins; of equal ones, the one that is written in full.
    fileprivate func match(
        _ path: PropertyPath, _ comparison: NameComparison
    ) -> (ScopeSource, PropertyPath)? {
        var best: (source: ScopeSource, rest: PropertyPath)?
        for source in self {
            guard let rest = source.rest(of: path, comparison) else { continue }
            if let best {
                let (count, known) = (rest.components.count, best.rest.components.count)
                guard
                    count < known
                        || count == known && best.source.isShortened(by: rest, of: path)
                            && !source.isShortened(by: rest, of: path)
                else { continue }
            }
            best = (source, rest)
        }
        return best
    }
}

extension ScopeSource {
    /// Whether a path omits the scope.
    fileprivate func isShortened(by rest: PropertyPath, of path: PropertyPath) -> Bool {
        prefix != nil && path.components.count - rest.components.count == 1
    }
}

/// The result of resolving a path of a query.
package enum PathResolution {
    case source(ScopeSource, PropertyPath)
    /// A name that stands for an expression, with its index among the names of its scope.
    case name(QueryScope, Int, PropertyPath)
}

extension QueryScope {
    /// Resolves a path: in the innermost query that knows its first name, or else in the only
    /// source of the query. A case-sensitive match takes precedence.
    ///
    /// - Throws: `.invalidQuery` if there are several sources and none has that name.
    package func resolution(of path: PropertyPath) throws -> PathResolution {
        var scope: QueryScope? = self
        while let current = scope {
            for comparison in NameComparison.allCases {
                if let (source, rest) = current.sources.match(path, comparison) {
                    return .source(source, rest)
                }
                if let found = current.namedResolution(of: path, comparison) { return found }
            }
            scope = current.outer
        }
        // As in LiteCore, `*` alone is the first source.
        if path.components.isEmpty, let first = sources.first { return .source(first, path) }
        guard sources.count == 1 else { throw unknownSource(path) }
        try requireNotHidden(path)
        return .source(sources[0], path)
    }

    /// Runs `operation` on the expression of a name, in which only earlier names of `LET` are
    /// visible.
    package func withExpression<T>(
        ofName number: Int, _ operation: (QueryExpression) throws -> T
    ) rethrows -> T {
        let visible = visibleNames
        visibleNames = min(number, bindingCount)
        defer { visibleNames = visible }
        return try operation(names[number].expression)
    }

    /// Runs `operation` with all names visible, as in the clauses after `SELECT`.
    func withAllNames<T>(_ operation: () throws -> T) rethrows -> T {
        let visible = visibleNames
        visibleNames = names.count
        defer { visibleNames = visible }
        return try operation()
    }

    /// - Throws: if a property of the only source has the name of a hidden source, which is
    ///   ambiguous.
    private func requireNotHidden(_ path: PropertyPath) throws {
        guard case .key(let name) = path.components.first else { return }
        var scope: QueryScope? = self
        while let current = scope {
            guard
                !current.hiddenSources.contains(where: {
                    NameComparison.ignoringCase.areEqual($0, name)
                })
            else {
                throw StoreError.invalidQuery(
                    "a subquery in FROM cannot see the source \(name); for a property of "
                        + "that name write \(sources[0].alias).\(path)")
            }
            scope = current.outer
        }
    }

    /// The query whose source a property belongs to; nil for other expressions.
    func owner(of expression: QueryExpression) throws -> QueryScope? {
        let name: String
        switch expression {
        case .property(let path):
            guard case .source(let source, _) = try resolution(of: path) else { return nil }
            name = source.sql
        case .meta(_, let owner?):
            guard let source = source(called: owner) else { return nil }
            name = source.sql
        default: return nil
        }
        var scope: QueryScope? = self
        while let current = scope {
            if current.sources.contains(where: { $0.sql == name }) { return current }
            scope = current.outer
        }
        return nil
    }

    /// Whether this query or an outer one is grouped.
    var isGrouped: Bool { groups != nil || outer?.isGrouped ?? false }

    /// The number of outer queries.
    var depth: Int { (outer?.depth).map { $0 + 1 } ?? 0 }

    private func namedResolution(
        of path: PropertyPath, _ comparison: NameComparison
    ) -> PathResolution? {
        guard case .key(let first) = path.components.first else { return nil }
        let numbers =
            switch comparison {
            case .exact: numbersByName[ExactString(first)]
            case .ignoringCase:
                numbersByLowercaseName[ExactString(first.asciiLowercased)]
            }
        let number = numbers?.last { $0 < visibleNames }
        return number.map { .name(self, $0, PropertyPath(Array(path.components.dropFirst()))) }
    }

    private func unknownSource(_ path: PropertyPath) -> StoreError {
        let aliases = sources.map(\.alias).joined(separator: ", ")
        return .invalidQuery(
            "the property \(path) belongs to none of the sources; write the alias of one before "
                + "it: \(aliases)")
    }

    /// The source that `META(name)` refers to; nil if there is none.
    func source(called name: String) -> ScopeSource? {
        for comparison in NameComparison.allCases {
            let source =
                sources.first { comparison.areEqual(name, $0.fullName) }
                ?? sources.first { $0.isCalled(name, comparison) }
            if let source { return source }
        }
        return outer?.source(called: name)
    }

    /// The source that `META()` refers to: the only collection.
    ///
    /// - Throws: `.invalidQuery` if there are several.
    func onlyCollection() throws -> ScopeSource {
        let collections = sources.filter(\.isRecords)
        guard collections.count == 1 else {
            throw StoreError.invalidQuery(
                collections.isEmpty
                    ? "META() needs a collection, and the query has none"
                    : "META() needs the alias of one of the sources: META(\(sources[0].alias))")
        }
        return collections[0]
    }
}
