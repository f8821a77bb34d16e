package import FleeceLite
internal import StoreFormat

/// The names that expressions of a query can use, and what they stand for.
package final class QueryScope {
    /// What all parts of one translation share.
    let translation: QueryTranslation
    /// That of the query around.
    let outer: QueryScope?
    package var sources: [ScopeSource] = []
    /// `LET`, and the names of results, which stand for their expressions.
    private(set) var names: [ScopeName] = []
    /// The numbers of the names with the same text, in ascending order.
    private var numbersByName: [ExactString: [Int]] = [:]
    /// Those of the names with the same text but for upper and lower case.
    private var numbersByLowercaseName: [ExactString: [Int]] = [:]
    /// How many of them are of `LET`; they come first.
    var bindingCount = 0
    /// How many of the names may be used: those before the one whose expression is being written.
    var visibleNames = 0
    /// Sources of the query around that one in its `FROM` cannot see.
    var hiddenSources: [String] = []
    /// The CTEs that subqueries can name.
    var tablesByName: [SQLQueryWriter.CommonTable] = []
    /// Tables of indexes that the query is joined with.
    var joins: [ScopeJoin] = []
    /// Whether tables of indexes can still be joined: not before all sources are there.
    var takesJoins = false
    /// Whether an index holds nothing that could be taken for something else.
    var trustsIndexes = false
    /// Whether a property in the form of results is taken from the body by one function.
    var joinsResults = false
    /// The tables that expressions have used.
    var usedTables: Set<String> = []
    /// Where the values of a grouped query come from; nil in one that is not grouped.
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
        /// Elements of an array, by `fl_each`: of which source of SQL's, and where the array is.
        case elements(of: String, array: PropertyPath)
        /// Elements of an array, in the table of its index.
        case indexed(QueryIndexes.ElementTable, IndexedArray)
        /// Rows of another query; the names of their columns, which SQL calls `c1`, `c2`, ….
        case rows(QueryColumns)
    }

    /// The array whose elements are in a table.
    package struct IndexedArray {
        /// The documents that have it, as SQL calls them.
        let table: String
        /// What gives its elements from the document itself, in SQL.
        let rows: String
        /// Whether it is in the elements of another one, of which an index has copies.
        let isNested: Bool

        /// An array in documents, whose column `body` is given.
        init(table: String, body: String, path: String) {
            self.init(table, body, path, isNested: false)
        }

        /// An array in the elements of another one, which SQL calls `elements`.
        init(in outer: IndexedArray, elements: String, path: String) {
            let body = "(SELECT body FROM \(outer.rows) WHERE rowid = \(elements).i)"
            self.init(outer.table, body, path, isNested: true)
        }

        private init(_ table: String, _ body: String, _ path: String, isNested: Bool) {
            (self.table, self.isNested) = (table, isNested)
            rows = "fl_each(\(body), \(path.sqlLiteral))"
        }
    }

    /// What it is called in the query.
    package let alias: String
    /// The scope of a collection that can be named `scope.collection`.
    let prefix: String?
    /// What it is called in SQL.
    package let sql: String
    package let kind: Kind
    /// Whether tombstones are among the documents.
    var includesDeleted = false
    /// Whether rows can be without one of its: it is joined with LEFT.
    var isOptional = false

    var isRecords: Bool { if case .records = kind { true } else { false } }

    /// The rest of a path that begins with its name; nil if it does not.
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

    /// The rest of a path that begins with the full name of the default collection, which is `_`
    /// for short.
    private func restBehindDefault(of path: PropertyPath) -> PropertyPath? {
        guard isRecords, prefix == nil, alias == "_",
            path.components.starts(with: [.key("_default"), .key("_default")])
        else { return nil }
        return PropertyPath(Array(path.components.dropFirst(2)))
    }

    /// The rest of a path that begins with an alias in which there are dots.
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

    /// Whether `META(name)` means it.
    func isCalled(_ name: String, _ comparison: NameComparison) -> Bool {
        comparison.areEqual(name, alias) || comparison.areEqual(name, fullName)
    }

    /// Its name with that of its scope, which tells it from a collection of the same name.
    var fullName: String { prefix.map { $0 + "." + alias } ?? alias }
}

extension [ScopeSource] {
    /// The source whose name a path begins with, and the rest of the path: the longest name that
    /// fits, and of equal ones the one that is written in full.
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
    /// Whether a path leaves out its scope.
    fileprivate func isShortened(by rest: PropertyPath, of path: PropertyPath) -> Bool {
        prefix != nil && path.components.count - rest.components.count == 1
    }
}

/// What a path of a query leads to.
package enum PathResolution {
    case source(ScopeSource, PropertyPath)
    /// A name that stands for an expression; its number among the names of its scope.
    case name(QueryScope, Int, PropertyPath)
}

extension QueryScope {
    /// What a path leads to: in the innermost query that knows its first name, or in the only
    /// source of the query. A name that is the same counts before one in another case.
    ///
    /// Throws `.invalidQuery` if there are several sources and none has that name.
    package func place(of path: PropertyPath) throws -> PathResolution {
        var scope: QueryScope? = self
        while let current = scope {
            for comparison in NameComparison.allCases {
                if let (source, rest) = current.sources.match(path, comparison) {
                    return .source(source, rest)
                }
                if let place = current.namedResolution(of: path, comparison) { return place }
            }
            scope = current.outer
        }
        // As in LiteCore, * alone is the first source.
        if path.components.isEmpty, let first = sources.first { return .source(first, path) }
        guard sources.count == 1 else { throw unknownSource(path) }
        try requireNotHidden(path)
        return .source(sources[0], path)
    }

    /// Runs `body` on what a name stands for; what it can use itself are those of `LET` before it.
    package func withExpression<T>(
        ofName number: Int, _ body: (QueryExpression) throws -> T
    ) rethrows -> T {
        let visible = visibleNames
        visibleNames = min(number, bindingCount)
        defer { visibleNames = visible }
        return try body(names[number].expression)
    }

    /// Runs `body` with all names, as clauses behind `SELECT` can use them.
    func withAllNames<T>(_ body: () throws -> T) rethrows -> T {
        let visible = visibleNames
        visibleNames = names.count
        defer { visibleNames = visible }
        return try body()
    }

    /// A property of the only source can have the name of a source around, which is another thing.
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
                    "a query in FROM cannot see the source \(name) beside it; for a property of "
                        + "that name write \(sources[0].alias).\(path)")
            }
            scope = current.outer
        }
    }

    /// The query whose source a property is of; nil for other expressions.
    func owner(of expression: QueryExpression) throws -> QueryScope? {
        let name: String
        switch expression {
        case .property(let path):
            guard case .source(let source, _) = try place(of: path) else { return nil }
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

    /// Whether it or a query around is written over its groups.
    var isGrouped: Bool { groups != nil || outer?.isGrouped ?? false }

    /// How many queries are around.
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

    /// The source that `META(name)` means; nil if there is none.
    func source(called name: String) -> ScopeSource? {
        for comparison in NameComparison.allCases {
            let source =
                sources.first { comparison.areEqual(name, $0.fullName) }
                ?? sources.first { $0.isCalled(name, comparison) }
            if let source { return source }
        }
        return outer?.source(called: name)
    }

    /// The source that `META()` means: the only collection.
    ///
    /// Throws `.invalidQuery` if there are several.
    func onlyCollection() throws -> ScopeSource {
        let collections = sources.filter(\.isRecords)
        guard collections.count == 1 else {
            throw StoreError.invalidQuery(
                collections.isEmpty
                    ? "META() is of documents, and the query has no collection"
                    : "META() needs the alias of one of the sources: META(\(sources[0].alias))")
        }
        return collections[0]
    }
}
