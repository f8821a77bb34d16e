internal import FleeceLite
package import StoreFormat

/// The state that all parts of one translation share.
@usableFromInline
package final class QueryTranslation {
    /// How the value of a parameter is passed to SQLite.
    @usableFromInline
    package enum ParameterForm: Hashable {
        case plain, boolean, unsigned
    }

    /// The options of a translation.
    @usableFromInline
    package struct Options: Hashable {
        /// The parameters that are bound in a special form.
        @usableFromInline package var parameters: [String: ParameterForm] = [:]
        /// The parameters that are strings, or numbers that all comparisons treat alike, in order.
        @usableFromInline package var plainParameters: [String] = []
        /// The parameters that are arrays with elements that SQL and JSON compare differently, in
        /// order.
        @usableFromInline package var oddLists: [String] = []
        /// Whether result columns are read from indexes that contain them.
        @usableFromInline package var servesValues = true
        /// Whether groups and extremes are computed without indexes, where values of different
        /// types would be indistinguishable.
        @usableFromInline package var avoidsIndexes = false
        /// Whether the document IDs are added as a first column, if the rows are documents.
        @usableFromInline package var addsKeys = false
        /// Whether only documents are read whose IDs are in the array `changedKeys`.
        @usableFromInline package var onlyChanged = false

        @inlinable
        package init(
            parameters: [String: ParameterForm] = [:], plainParameters: [String] = [],
            oddLists: [String] = [], servesValues: Bool = true, avoidsIndexes: Bool = false,
            addsKeys: Bool = false, onlyChanged: Bool = false
        ) {
            self.parameters = parameters
            self.plainParameters = plainParameters
            self.oddLists = oddLists
            self.servesValues = servesValues
            self.avoidsIndexes = avoidsIndexes
            self.addsKeys = addsKeys
            self.onlyChanged = onlyChanged
        }
    }

    /// The name of that parameter; parameters of queries have an underscore after the sign.
    package static let changedKeys = "$changed"

    /// Weak, since a cached translation must not retain a snapshot.
    private(set) weak var knownCatalog: (any QueryCatalog)?
    let options: Options
    /// The parameters that were written.
    package private(set) var parameters: Set<String> = []
    /// The collections that the query reads.
    package private(set) var tables: [KeyStoreName: QueryTable] = [:]
    /// The full-text search strings; nil for a computed one.
    package var searches: [QueryExpression] = []
    /// Statements that return a row if the query must be translated without indexes.
    package var guards: [String] = []
    /// Whether a column is read from an index.
    package var hasServedValues = false
    /// The names of sources in the query, by their SQL aliases.
    package var sourceNames: [String: String] = [:]
    /// The tables of collections, by their SQL aliases.
    package var sqlTables: [String: String] = [:]
    /// The sources that are elements of arrays.
    package var elementSources: Set<String> = []
    /// The tables of array indexes.
    package var elementTables: Set<String> = []
    /// The full-text indexes that the query is joined with, by their SQL aliases.
    package var fullTextIndexes: [String: String] = [:]
    private var lastNumber = 0

    package init(_ catalog: any QueryCatalog, _ options: Options) {
        knownCatalog = catalog
        self.options = options
    }

    /// The catalog of the file.
    ///
    /// - Throws: `.notInTransaction` after the translation.
    func catalog() throws -> any QueryCatalog {
        guard let knownCatalog else {
            throw StoreError(.notInTransaction, "the query has been translated already")
        }
        return knownCatalog
    }

    /// SQLite accepts no longer SQL. Names that stand for expressions can make any query long.
    static let longestText = 500_000

    func requireLength(_ count: Int) throws {
        guard count <= Self.longestText else {
            throw StoreError.invalidQuery(
                "the query is too long once its names are replaced by their expressions")
        }
    }

    /// The number of expressions that were written or inspected.
    private var steps = 0
    /// Names are replaced by their expressions wherever they are used, recursively, so the number
    /// of steps can be exponential in the length of the text.
    static let mostSteps = 2_000_000

    /// Counts a step of the translation.
    ///
    /// - Throws: `.invalidQuery` after too many steps, `CancellationError` if the task is
    ///   cancelled.
    func step() throws {
        steps += 1
        guard steps <= Self.mostSteps else {
            throw StoreError.invalidQuery(
                "the query is too long once its names are replaced by their expressions")
        }
        if steps % 256 == 0 { try Task.checkCancellation() }
    }

    /// The bytes of the columns that were written.
    private var columnBytes = 0

    /// Counts the SQL text of a column.
    ///
    /// - Throws: `.invalidQuery` if all columns together are too long for SQLite.
    func add(column sql: String) throws {
        columnBytes += sql.utf8.count
        // Some queries are written more than once, for comparison.
        try requireLength(columnBytes / 8)
    }

    func use(parameter name: String) -> ParameterForm {
        parameters.insert(name)
        return options.parameters[name] ?? .plain
    }

    func use(_ table: QueryTable) { tables[table.store] = table }

    /// The nesting depth of names that stand for other names.
    private var nameDepth = 0

    /// Runs `operation`, which writes the expression of a name.
    ///
    /// - Throws: `.invalidQuery` if names are nested too deeply.
    func withName<T>(_ operation: () throws -> T) throws -> T {
        try step()
        nameDepth += 1
        defer { nameDepth -= 1 }
        guard nameDepth <= Self.deepestName else {
            throw StoreError.invalidQuery(
                "names of LET or of results are nested more than \(Self.deepestName) levels deep")
        }
        return try operation()
    }

    private static let deepestName = 60

    /// The number of outer queries of the query that is written.
    var queryDepth = 0
    /// SQLite's parser accepts fewer nested subqueries.
    static let deepestQuery = 20

    /// Returns a new number.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The input columns of a grouped query, which a subquery computes for each document.
final class GroupColumns {
    /// The columns of the `GROUP BY` expressions, by their SQL text.
    private var keys: [ExactString: String] = [:]
    /// The kinds of the `GROUP BY` expressions: expressions of other kinds need not be compared.
    private var keyKinds: Set<QueryExpression.Kind> = []
    /// The SQL of each column.
    private(set) var columns: [String] = []
    /// The numbers of the columns, by their SQL.
    private var numbers: [ExactString: Int] = [:]
    private let prefix: String

    /// - Parameter depth: the number of outer queries, whose columns have other names.
    init(depth: Int) {
        prefix = depth == 0 ? "g" : "g\(depth)_"
    }

    /// Adds a `GROUP BY` expression.
    func addKey(_ text: String, _ column: String, _ kind: QueryExpression.Kind) {
        if keys[ExactString(text)] == nil { keys[ExactString(text)] = column }
        keyKinds.insert(kind)
    }

    /// The column of a `GROUP BY` expression, by its SQL text.
    func key(_ text: String) -> String? { keys[ExactString(text)] }

    /// Whether an expression of this kind can be a `GROUP BY` expression.
    func hasKey(of kind: QueryExpression.Kind) -> Bool { keyKinds.contains(kind) }

    /// The name of the column with this SQL.
    func column(_ sql: String) -> String {
        if let index = numbers[ExactString(sql)] { return name(index) }
        numbers[ExactString(sql)] = columns.count
        columns.append(sql)
        return name(columns.count - 1)
    }

    func name(_ index: Int) -> String { "\(prefix)\(index + 1)" }
}
