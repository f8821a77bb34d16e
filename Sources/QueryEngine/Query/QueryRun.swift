internal import DataFileCore
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

/// One run of a query: its limits, and the context of each step of SQLite.
final class QueryRun {
    private let limits: QueryLimits
    /// The search terms; nil if they are computed.
    private let words: [String]?
    private let isSearch: Bool
    private var rows = 0
    private var bytes = 0
    private var spent = Duration.zero

    init(_ limits: QueryLimits, _ searches: [SearchText], _ parameters: QueryParameters) {
        self.limits = limits
        isSearch = !searches.isEmpty
        var words: [String]? = []
        for search in searches {
            switch search {
            case .literal(let text): words?.append(text)
            case .parameter(let name): words?.append(parameters[name]?.string ?? "")
            case .computed: words = nil
            }
        }
        self.words = words
    }

    /// Steps to the next row.
    ///
    /// - Throws: SQLite's errors, and `.queryLimitExceeded`.
    func step(_ statement: SQLStatement, _ connection: Connection) throws -> Bool {
        let wasStrict = connection.failures.isStrict
        connection.failures.isStrict = true
        defer { connection.failures.isStrict = wasStrict }
        let hasRow = try timed(connection) {
            try sized(connection) {
                try isSearch
                    ? FullTextQueryMode.searching(for: words) { try statement.next() }
                    : statement.next()
            }
        }
        if hasRow { try count(statement) }
        return hasRow
    }

    private func timed(_ connection: Connection, _ body: () throws -> Bool) throws -> Bool {
        // A larger value is not a limit and does not fit a `Duration`.
        guard let seconds = limits.seconds, seconds < 1e9 else { return try body() }
        let clock = ContinuousClock()
        let start = clock.now
        let rest = Duration.seconds(max(seconds, 0)) - spent
        var isLate = rest <= .zero
        defer { spent += clock.now - start }
        do {
            if isLate { throw tooLong(seconds) }
            return try connection.context.withProgress { _ in
                isLate = clock.now - start > rest
                return !isLate
            } body: {
                try body()
            }
        } catch {
            throw isLate ? tooLong(seconds) : error
        }
    }

    private func sized(_ connection: Connection, _ body: () throws -> Bool) throws -> Bool {
        guard let bytes = limits.bytes else { return try body() }
        do {
            return try connection.context.withLongestValue(bytes, body: body)
        } catch let error as SQLError where error.code == .tooBig {
            throw StoreError.queryLimit("a value of the query has more than \(bytes) bytes")
        }
    }

    private func tooLong(_ seconds: Double) -> StoreError {
        .queryLimit("the query took longer than \(seconds) s")
    }

    private func count(_ statement: SQLStatement) throws {
        rows += 1
        if let most = limits.rows, rows > most {
            throw StoreError.queryLimit("the query has more than \(most) rows")
        }
        guard let most = limits.bytes else { return }
        for column in 0..<statement.columnCount { bytes += statement.bytes(at: column).count }
        guard bytes <= most else {
            throw StoreError.queryLimit("the rows of the query have more than \(most) bytes")
        }
    }
}

extension StoreError {
    /// The error of a query that exceeds a limit.
    static func queryLimit(_ message: String) -> StoreError {
        StoreError(.queryLimitExceeded, message + ", the limit of its QueryLimits")
    }
}
