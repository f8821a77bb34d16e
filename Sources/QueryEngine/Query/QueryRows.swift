public import DataFileCore
internal import FleeceLite
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore
public import StoreFormat

/// The rows of a query in sequence; SQLite computes each row when it is requested.
///
/// ```swift
/// let rows = try query.rows(in: snapshot, ["least": 18])
/// while let row = try rows.next() { print(row["name"]) }
/// ```
/// It is valid only within the snapshot that created it, and on its thread. The rows themselves own
/// their values and remain valid. Several can be read in turn in the same snapshot.
///
/// As a sequence it has `Result` values, since the next row can be an error:
///
/// ```swift
/// for row in try query.rows(in: snapshot) { print(try row.get()["name"]) }
/// ```
/// Releasing it early ends the query. Its memory is that of one row, unless the query sorts or
/// groups.
///
/// It ends early if a savepoint is rolled back in its transaction or the schema changes; ``next()``
/// then throws `.notInTransaction`.
public final class QueryRows: SnapshotReader {
    private let snapshot: Snapshot
    private let connection: Connection
    private let prepared: PreparedQuery
    /// Nil at the end.
    private var statement: SQLStatement?
    private let run: QueryRun
    private var wasCut = false
    private let sharedKeys: SharedKeys

    init(
        _ prepared: PreparedQuery, _ snapshot: Snapshot, _ parameters: QueryParameters,
        _ limits: QueryLimits, changed: [String]?
    ) throws {
        self.snapshot = snapshot
        self.prepared = prepared
        connection = try snapshot.connection()
        sharedKeys = try snapshot.requireSharedKeys()
        run = QueryRun(limits, prepared.searches, parameters)
        let statement = try prepared.idle ?? connection.context.prepare(sql: prepared.sql)
        prepared.idle = nil
        self.statement = statement
        try statement.bind(parameters, changed: changed)
        snapshot.add(self)
    }

    deinit {
        if (try? snapshot.connection()) != nil { finish() }
    }

    package func snapshotEnded() {
        wasCut = statement != nil
        finish()
    }

    private func finish() {
        guard let statement else { return }
        statement.reset()
        prepared.idle = statement
        self.statement = nil
    }

    /// The column names, in order, as of ``ResultRow/columnNames``; also if there are no rows.
    public var columnNames: [String] { prepared.columns.columnNames }

    /// Returns the next row; nil at the end.
    ///
    /// ```swift
    /// let rows = try query.rows(in: snapshot)
    /// guard let first = try rows.next() else { return }
    /// print(first["name"])
    /// ```
    /// - Throws: `.notInTransaction` after the end of the snapshot, the errors of the query's
    ///   functions, `.invalidQueryParameter` for a `LIMIT` that is not an integer, and
    ///   `.queryLimitExceeded` if a limit is exceeded. After an error the query has ended.
    public func next() throws -> ResultRow? {
        guard try step(), let statement else { return nil }
        return row(statement)
    }

    /// Returns all remaining rows, which takes memory for each of them.
    ///
    /// ```swift
    /// let rows = try file.read { try query.rows(in: $0, ["least": 18]).all() }
    /// print(rows.map { $0["name"].string ?? "?" })
    /// ```
    /// - Returns: the rows, which remain valid after the snapshot ends; empty at the end.
    /// - Throws: the errors of ``next()``.
    public func all() throws -> [ResultRow] {
        var rows: [ResultRow] = []
        while let row = try next() { rows.append(row) }
        return rows
    }

    private func step() throws -> Bool {
        _ = try snapshot.connection()
        guard !wasCut else {
            throw StoreError(
                .notInTransaction,
                "the query ended because a savepoint was rolled back or the schema changed; "
                    + "run it again")
        }
        guard let statement else { return false }
        do {
            if try run.step(statement, connection) { return true }
        } catch {
            finish()
            throw snapshot.queryError(error)
        }
        finish()
        return false
    }
}

extension Snapshot {
    /// Translates an error that SQLite reports while it runs a query.
    func queryError(_ error: any Error) -> any Error {
        guard let error = error as? SQLError, error.code != .interrupted,
            let path = try? connection().path
        else { return error }
        switch error.code {
        case .error:
            return StoreError.invalidQuery(
                Self.advice[error.message] ?? error.message, underlying: error)
        case .mismatch:
            return StoreError(
                .invalidQueryParameter,
                "LIMIT and OFFSET need an integer; the expression has another value or none",
                underlying: error)
        default: return StoreError(error, path: path)
        }
    }

    /// Advice for some of SQLite's error messages.
    private static let advice = [
        "integer overflow":
            "SUM() of integers exceeds 64 bits; SUM(value * 1.0) adds doubles",
        "ESCAPE expression must be a single character": "ESCAPE needs a single character",
    ]
}

// Values.
extension QueryRows {
    private func row(_ statement: SQLStatement) -> ResultRow {
        let first = prepared.hasKeys ? 1 : 0
        var values: [QueryValue] = []
        let count = prepared.columns.columnNames.count
        values.reserveCapacity(count)
        for column in 0..<count {
            let index = column + first
            values.append(
                prepared.isBody[column] ? body(statement, index) : value(statement, index))
        }
        let key = prepared.hasKeys ? statement.text(at: 0) : nil
        return ResultRow(prepared.columns, values, key: key)
    }

    /// The stored body of a document; in a file of version 2.x, the body of its current revision. A
    /// document without a body is missing.
    private func body(_ statement: SQLStatement, _ column: Int) -> QueryValue {
        guard statement.isBlob(at: column) else { return .missing }
        let bytes = statement.bytes(at: column)
        if let document = try? FleeceDocument(trusted: bytes, sharedKeys: sharedKeys) {
            return QueryValue(document.root)
        }
        let functions = connection.functions
        guard let root = functions.root(ofBody: bytes) else {
            functions.noteUnreadableBody(bytes)
            return .missing
        }
        let copy = functions.withDocument(of: FunctionValue(root)) {
            try? FleeceDocument(trusted: $0, sharedKeys: sharedKeys)
        }
        return copy.flatMap { $0 }.map { QueryValue($0.root) } ?? .missing
    }

    private func value(_ statement: SQLStatement, _ column: Int) -> QueryValue {
        switch statement.type(at: column) {
        case .long: return .integer(statement.long(at: column))
        case .real: return .real(statement.real(at: column))
        case .text: return .string(statement.text(at: column) ?? "")
        case .blob:
            let bytes = statement.bytes(at: column)
            if bytes.isEmpty { return .null }
            guard let document = try? FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
            else { return .data([UInt8](bytes)) }
            return QueryValue(document.root)
        default: return .missing
        }
    }
}

extension QueryRows: Sequence {
    /// A row, or the error that ended the query.
    public typealias Element = Result<ResultRow, StoreError>

    /// Iterates over the remaining rows. All iterators read the same rows, each row once.
    public func makeIterator() -> Iterator { Iterator(rows: self) }

    /// Iterates over the rows; an error ends the iteration.
    public struct Iterator: IteratorProtocol {
        private let rows: QueryRows
        private var isAtEnd = false

        fileprivate init(rows: QueryRows) {
            self.rows = rows
        }

        /// Returns the next row, an error, or nil at the end.
        ///
        /// An error that is not a ``StoreError`` is wrapped in one, with the code `.unsupported`.
        public mutating func next() -> Result<ResultRow, StoreError>? {
            if isAtEnd { return nil }
            do {
                if let row = try rows.next() { return .success(row) }
                isAtEnd = true
                return nil
            } catch {
                isAtEnd = true
                return .failure(StoreError(query: error))
            }
        }
    }
}

extension StoreError {
    /// Converts the error that ended a query to an error of the store.
    fileprivate init(query error: any Error) {
        if let error = error as? StoreError {
            self = error
        } else if let error = error as? SQLError {
            self.init(error, path: "the query")
        } else {
            self.init(.unsupported, "the query was ended: \(error)", underlying: error)
        }
    }
}
