internal import FleeceLite
package import StoreFormat

/// What all parts of one translation share.
@usableFromInline
package final class QueryTranslation {
    /// How the value of a parameter is given to SQLite.
    @usableFromInline
    package enum ParameterForm: Hashable {
        case plain, boolean, unsigned
    }

    /// What is asked for besides the query itself.
    @usableFromInline
    package struct Options: Hashable {
        /// The parameters that are not bound as what they are.
        @usableFromInline package var parameters: [String: ParameterForm] = [:]
        /// The parameters that are strings, or numbers that all comparisons take for the same, in
        /// order.
        @usableFromInline package var plainParameters: [String] = []
        /// The parameters that are arrays with something that SQL compares otherwise than JSON, in
        /// order.
        @usableFromInline package var oddLists: [String] = []
        /// Whether columns of the result are taken from indexes where those have them.
        @usableFromInline package var servesValues = true
        /// Whether groups and extremes are computed without indexes, since values in them would be
        /// mixed up.
        @usableFromInline package var avoidsIndexes = false
        /// Whether the IDs of the documents come as a first column, if the rows are documents.
        @usableFromInline package var addsKeys = false
        /// Whether only documents are asked for whose IDs are in the array `changedKeys`.
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

    /// That parameter; those of queries have an underscore behind the sign.
    package static let changedKeys = "$changed"

    /// Only while something is translated: what is kept of a translation must keep no snapshot.
    private(set) weak var knownCatalog: (any QueryCatalog)?
    let options: Options
    /// The parameters that were written.
    package private(set) var parameters: Set<String> = []
    /// The collections that were asked.
    package private(set) var tables: [KeyStoreName: QueryTable] = [:]
    /// What is searched for in words; nil for something that is computed.
    package var searches: [QueryExpression] = []
    /// Statements that give a row if the query is to be translated without indexes.
    package var guards: [String] = []
    /// Whether a column is taken from an index where that has it.
    package var hasServedValues = false
    /// What sources are called in the query, by what SQL calls them.
    package var sourceNames: [String: String] = [:]
    /// The tables of collections, by what SQL calls them in the query.
    package var sqlTables: [String: String] = [:]
    /// The sources that are elements of arrays.
    package var elementSources: Set<String> = []
    /// The tables of array indexes.
    package var elementTables: Set<String> = []
    /// The full-text indexes that the query is joined with, by what SQL calls them.
    package var wordIndexes: [String: String] = [:]
    private var lastNumber = 0

    package init(_ catalog: any QueryCatalog, _ options: Options) {
        knownCatalog = catalog
        self.options = options
    }

    /// What is known of the file.
    ///
    /// Throws `.notInTransaction` once the translation is done.
    func catalog() throws -> any QueryCatalog {
        guard let knownCatalog else {
            throw StoreError(.notInTransaction, "the query has been translated already")
        }
        return knownCatalog
    }

    /// SQLite takes no longer texts. Names that stand for expressions can make any text long.
    static let longestText = 500_000

    func requireLength(_ count: Int) throws {
        guard count <= Self.longestText else {
            throw StoreError.invalidQuery(
                "the query is too long, once its names are replaced by what they stand for")
        }
    }

    /// How many expressions were written or looked into.
    private var steps = 0
    /// Names stand for their expressions wherever they are used, names of names too, so a short
    /// text can ask for any number of steps.
    static let mostSteps = 2_000_000

    /// Counts a step of the translation.
    ///
    /// Throws `.invalidQuery` after too many, `CancellationError` once the task is cancelled.
    func step() throws {
        steps += 1
        guard steps <= Self.mostSteps else {
            throw StoreError.invalidQuery(
                "the query is too long, once its names are replaced by what they stand for")
        }
        if steps % 256 == 0 { try Task.checkCancellation() }
    }

    /// The bytes of the columns that were written.
    private var columnBytes = 0

    /// Counts the text of a column.
    ///
    /// Throws `.invalidQuery` if all of them together are too long for SQLite.
    func add(column sql: String) throws {
        columnBytes += sql.utf8.count
        // Some queries are written more than once, to be compared.
        try requireLength(columnBytes / 8)
    }

    func use(parameter name: String) -> ParameterForm {
        parameters.insert(name)
        return options.parameters[name] ?? .plain
    }

    func use(_ table: QueryTable) { tables[table.store] = table }

    /// How deep names stand for other names.
    private var nameDepth = 0

    /// Runs `body`, which writes what a name stands for.
    ///
    /// Throws `.invalidQuery` if names lead to names too often.
    func withName<T>(_ body: () throws -> T) throws -> T {
        try step()
        nameDepth += 1
        defer { nameDepth -= 1 }
        guard nameDepth <= Self.deepestName else {
            throw StoreError.invalidQuery(
                "names of LET or of results lead to others more than \(Self.deepestName) times")
        }
        return try body()
    }

    private static let deepestName = 60

    /// How many queries are around what is written.
    var queryDepth = 0
    /// SQLite's parser takes fewer inside of one another.
    static let deepestQuery = 20

    /// A number that was not given yet.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// The values that a grouped query is made of: the subquery computes them for each document.
final class GroupColumns {
    /// The columns of what is grouped by, by the SQL text of that.
    private var keys: [ExactString: String] = [:]
    /// What kinds of expressions those are: others need not be written to be compared.
    private var keyKinds: Set<QueryExpression.Kind> = []
    /// The SQL of each column.
    private(set) var columns: [String] = []
    /// The numbers of the columns, by their SQL.
    private var numbers: [ExactString: Int] = [:]
    private let prefix: String

    /// - Parameter depth: how many queries are around: theirs have other names.
    init(depth: Int) {
        prefix = depth == 0 ? "g" : "g\(depth)_"
    }

    /// Adds what is grouped by.
    func addKey(_ text: String, _ column: String, _ kind: QueryExpression.Kind) {
        if keys[ExactString(text)] == nil { keys[ExactString(text)] = column }
        keyKinds.insert(kind)
    }

    /// The column of what is grouped by, by its SQL text.
    func key(_ text: String) -> String? { keys[ExactString(text)] }

    /// Whether an expression of this kind can be one that is grouped by.
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
