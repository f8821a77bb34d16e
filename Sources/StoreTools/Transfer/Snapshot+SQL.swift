package import DataFileCore
internal import QueryFunctions
package import SQLCore
internal import StoreFormat

extension Snapshot {
    /// Runs one statement of SQL that only reads, on the snapshot itself and with all functions
    /// that the schema calls, and hands its rows to `body`.
    ///
    /// Nothing can be written while the rows come, in a transaction neither.
    ///
    /// - Parameters:
    ///   - parameters: values for all of its parameters, in their order.
    ///   - columns: told the names of the columns, before the first row.
    ///   - body: false ends it.
    ///
    /// Throws `.invalidParameter` for a statement that does more than read, or for several;
    /// `.invalidQuery` for what SQLite does not take, saying where; and what `columns` and `body`
    /// throw.
    package func sqlRows(
        _ sql: String, _ parameters: [SQLValue] = [],
        columns: ([String]) throws -> Void = { _ in },
        _ body: (borrowing SQLRowView) throws -> Bool
    ) throws {
        let session = try session()
        try session.boundingForeignSchema {
            try session.readingOnly { authorizer in
                let statement = try session.prepared(sql)
                // Some statements only act when they run, such as VACUUM. SQLite says of a pragma
                // that it could write even where it is only read.
                guard statement.isReadOnly || authorizer.hasPragma else {
                    throw ReadOnlySQL.refusal("it does not only read")
                }
                try statement.bindAll(parameters)
                let row = SQLRowView(statement: statement, columnNames: statement.columnNames)
                try columns(row.columnNames)
                while try session.step(statement) {
                    try requireKeys(of: session.functions)
                    guard try body(row) else { return }
                }
                try requireKeys(of: session.functions)
            }
        }
    }
}

extension Snapshot {
    /// A function that reads a body without the keys in it says what is not so.
    private func requireKeys(of functions: FunctionContext) throws {
        if functions.hasRefusedBody { _ = try requireSharedKeys() }
    }

    /// How many calls of functions in queries and SQL have met a body that is damaged so that it
    /// has no properties, since the connection was opened.
    ///
    /// A number that grows while a query is asked says that documents count as empty in it.
    package func unreadableBodies() throws -> Int { try session().functions.unreadableBodies }
}

extension Session {
    /// Runs `body`, in which nothing is compiled that does more than read, and nothing that was
    /// compiled before writes. `PRAGMA query_only`
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

    /// Not one of the statements that are kept: it may be long, and hardly comes again.
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
        let place = error.offset.map { ", at byte \($0)" } ?? ""
        return StoreError(
            .invalidQuery, "SQLite does not take it: \(error.message)\(place)", underlying: error)
    }
}

extension SQLStatement {
    fileprivate func bindAll(_ values: [SQLValue]) throws {
        guard values.count == parameterCount else {
            throw StoreError(
                .invalidQueryParameter,
                "the SQL has \(parameterCount) parameters, and \(values.count) values were given")
        }
        try bind(parameters: values)
    }
}

/// A row of a SQL statement, in the memory of SQLite.
///
/// Valid inside the closure that it is lent to, as are the bytes that it lends.
package struct SQLRowView: ~Copyable {
    let statement: SQLStatement
    /// The names of the columns.
    package let columnNames: [String]

    /// How many columns there are.
    package var count: Int { columnNames.count }

    /// The value of a column, `.null` where there is none; text that is not UTF-8 is repaired.
    package func value(at column: Int) -> SQLValue { statement.value(at: column) }

    /// Lends the bytes of a text or blob; nil for other values.
    package func withBytes<T>(
        at column: Int, _ use: (UnsafeRawBufferPointer?) throws -> T
    ) rethrows -> T {
        switch statement.type(at: column) {
        case .text, .blob: try use(statement.bytes(at: column))
        case .long, .real, .null: try use(nil)
        }
    }
}
