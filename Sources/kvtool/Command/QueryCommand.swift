internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool query DATABASE 'SELECT …'`
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Asks a query, and writes the rows as they come.",
        discussion: """
            Examples:
              kvtool query people.cblite2 'SELECT name.last, age FROM _ WHERE age > 80'
              kvtool query people.cblite2 --json 'SELECT * FROM _ WHERE META().id = $id' -p id=x

            _ is the default collection. What is missing is an empty cell, or no property of the \
            JSON. UPDATE and DELETE change the documents, and say how many.
            """)

    @OptionGroup var arguments: QueryArguments
    @Flag(help: "Write each row as a line of JSON.") var json = false
    @Option(help: "At most this many rows.") var limit: Int?
    @Option(name: .customLong("seconds"), help: "End the query after so many seconds.")
    var seconds: Double?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds takes more than 0, and at most 86400")
        }
    }

    func run() throws {
        let query = try arguments.named()
        let values = try arguments.values()
        do {
            if query.isChange, limit != nil {
                throw ToolError("--limit is for rows; write LIMIT into an UPDATE or DELETE")
            }
            try query.isChange ? change(query, values) : ask(query, values)
        } catch let error as StoreError where error.isAboutLimits {
            throw ToolError("the query took longer than --seconds \(seconds ?? 0)")
        }
    }

    private func ask(_ query: Query, _ values: QueryParameters) throws {
        let file = try arguments.database.open()
        try file.read { snapshot in
            let rows = try query.rows(
                in: snapshot, values, limits: QueryLimits(seconds: seconds))
            try json ? writeJSON(rows) : writeTable(rows)
        }
    }

    private func change(_ query: Query, _ values: QueryParameters) throws {
        let file = try arguments.database.open(.readWrite)
        let count = try file.write {
            try query.run(in: $0, values, limits: QueryLimits(seconds: seconds))
        }
        try StandardOutput.write(Text.count(count, "document") + " changed\n")
    }

    private func next(_ rows: QueryRows, _ count: inout Int) throws -> ResultRow? {
        if let limit, count >= limit { return nil }
        count += 1
        return try rows.next()
    }

    private func writeJSON(_ rows: QueryRows) throws {
        var count = 0
        while let row = try next(rows, &count) {
            try StandardOutput.write(row.json() + "\n")
        }
    }

    private func writeTable(_ rows: QueryRows) throws {
        var table = Table(rows.columnNames.map { Table.Column(heading: Text.line($0)) })
        var count = 0
        do {
            while let row = try next(rows, &count) {
                try table.add((0..<row.count).map { try Self.cell(row[$0]) })
            }
        } catch {
            // What came before it is shown.
            try table.finish()
            throw error
        }
        try table.finish()
    }

    /// A value in one line: texts as they are, anything else as JSON.
    private static func cell(_ value: QueryValue) throws -> String {
        switch value {
        case .missing: ""
        case .string(let text): Text.line(text)
        default: try Text.line(value.json())
        }
    }
}

extension StoreError {
    /// Whether a query was ended by its limits.
    fileprivate var isAboutLimits: Bool {
        domain == .liteCore && code == Code.queryLimitExceeded.rawValue
    }
}
