package import DataFileCore
internal import QueryFunctions
package import SQLCore
internal import StoreFormat

extension Snapshot {
    /// Runs one read-only SQL statement in the snapshot, with all functions that the schema uses,
    /// and passes its rows to `body`.
    ///
    /// Nothing can be written while the statement runs, even in a transaction.
    ///
    /// - Parameters:
    ///   - parameters: the values of all its parameters, in order.
    ///   - columns: called with the column names before the first row.
    ///   - body: called with each row; returns false to stop.
    ///
    /// Throws `.invalidParameter` for a statement that does more than read, and for several
    /// statements; `.invalidQuery` for SQL that SQLite rejects, with the position; and rethrows the
    /// errors of `columns` and `body`.
    package func sqlRows(
        _ sql: String, _ parameters: [SQLValue] = [],
        columns: ([String]) throws -> Void = { _ in },
        _ body: (borrowing SQLRowView) throws -> Bool
    ) throws {
        let connection = try connection()
        try connection.boundingForeignSchema {
            try connection.readingOnly { authorizer in
                let statement = try connection.prepared(sql)
                // Some statements, such as VACUUM, have an effect only when they run. SQLite
                // reports a pragma as writing even if it only reads.
                guard statement.isReadOnly || authorizer.hasPragma else {
                    throw ReadOnlySQL.refusal("it is not read-only")
                }
                try statement.bindAll(parameters)
                let row = SQLRowView(statement: statement, columnNames: statement.columnNames)
                try columns(row.columnNames)
                while try connection.step(statement) {
                    try requireKeys(of: connection.functions)
                    guard try body(row) else { return }
                }
                try requireKeys(of: connection.functions)
            }
        }
    }
}

extension Snapshot {
    /// Throws if the shared keys are unavailable: a function that reads a body would be wrong.
    private func requireKeys(of functions: FunctionContext) throws {
        if functions.hasRefusedBody { _ = try requireSharedKeys() }
    }

    /// How often functions in queries and SQL have encountered a damaged body without readable
    /// properties, since the connection was opened.
    ///
    /// If the number increases during a query, the query has treated documents as empty.
    package func unreadableBodies() throws -> Int { try connection().functions.unreadableBodies }
}

extension Connection {
    /// Runs `body` with an authorizer that rejects statements that do more than read, and with
    /// `PRAGMA query_only`, so that statements compiled earlier cannot write.
    fileprivate func readingOnly(_ body: (SQLAuthorizer) throws -> Void) throws {
        let isWriter = try !context.isReadOnly && context.pragma("query_only")?.longValue == 0
        guard isWriter else { return try authorized(body) }
        try context.setPragma("query_only", to: .long(1))
        do {
            try authorized(body)
        } catch {
            try context.restoring { try context.setPragma("query_only", to: .long(0)) }
            throw error
        }
        try context.restoring { try context.setPragma("query_only", to: .long(0)) }
    }

    private func authorized(_ body: (SQLAuthorizer) throws -> Void) throws {
        try context.authorizing(ReadOnlySQL.allows) { authorizer in
            do {
                try body(authorizer)
            } catch  where error is SQLError || error is StoreError {
                throw authorizer.refused.map { ReadOnlySQL.refusal(of: $0) } ?? error
            }
        }
    }

    /// Prepares a statement that is not cached: it may be long and is unlikely to be run again.
    fileprivate func prepared(_ sql: String) throws -> SQLStatement {
        do {
            return try context.prepare(sql: sql)
        } catch let error as SQLError where error.code == .misuse {
            throw ReadOnlySQL.refusal(error.message)
        } catch let error as SQLError where .error ~= error.code {
            throw StoreError.invalidSQL(error)
        }
    }

    fileprivate func step(_ statement: SQLStatement) throws -> Bool {
        do {
            return try statement.next()
        } catch let error as SQLError where .error ~= error.code {
            throw StoreError.invalidSQL(error)
        }
    }
}

extension StoreError {
    fileprivate static func invalidSQL(_ error: SQLError) -> StoreError {
        let position = error.offset.map { ", at byte \($0)" } ?? ""
        return StoreError(
            .invalidQuery, "SQLite rejects the statement: \(error.message)\(position)",
            underlying: error)
    }
}

extension SQLStatement {
    fileprivate func bindAll(_ values: [SQLValue]) throws {
        guard values.count == parameterCount else {
            throw StoreError(
                .invalidQueryParameter,
                "the SQL has \(parameterCount) parameters, but \(values.count) values were given")
        }
        try bind(parameters: values)
    }
}

/// A row of an SQL statement, in SQLite's memory.
///
/// It is valid inside the closure to which it is passed, as are the bytes that it passes.
package struct SQLRowView: ~Copyable {
    let statement: SQLStatement
    /// The column names.
    package let columnNames: [String]

    /// The column count.
    package var count: Int { columnNames.count }

    /// The value of a column, `.null` if the column does not exist. Invalid UTF-8 in a string is
    /// replaced.
    package func value(at column: Int) -> SQLValue { statement.value(at: column) }

    /// Passes the bytes of a string or blob to `use`; nil for other values.
    package func withBytes<T>(
        at column: Int, _ use: (UnsafeRawBufferPointer?) throws -> T
    ) rethrows -> T {
        switch statement.type(at: column) {
        case .text, .blob: try use(statement.bytes(at: column))
        case .long, .real, .null: try use(nil)
        }
    }
}
