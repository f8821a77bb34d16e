internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SQLCore
internal import StorePlatform
internal import StoreTools

/// `kvtool sql DATABASE 'SELECT …'`
struct SQLCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Runs a read-only SQL statement on the SQLite file.",
        discussion: """
            Examples:
              kvtool sql people.cblite2 --schema
              kvtool sql people.cblite2 'SELECT key, sequence, length(body) FROM kv_default'
              kvtool sql people.cblite2 "SELECT fl_value(body, 'age') FROM kv_default" --csv
              kvtool sql people.cblite2 'SELECT * FROM kvmeta WHERE name = ?' -p default

            One SELECT, WITH, VALUES, EXPLAIN or PRAGMA that only reads, with the functions that \
            translated queries use. NULL is an empty cell. Blobs are x'…', in JSON \
            {"@data":"Base64"}.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(
        help: """
            The SQL, in one or more arguments; @FILE reads it from a file, - from standard input.
            """)
    var statement: [String] = []
    @Option(
        name: [.customShort("p"), .customLong("param")],
        help: ArgumentHelp(
            "Value for the next ? of the statement: a number, null, or otherwise a string.",
            valueName: "value"))
    var parameters: [String] = []
    @Flag(help: "Show the statements that create tables, indexes and triggers.")
    var schema = false
    @Flag(help: "Write a JSON array with an array per row, without names.") var raw = false
    @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try requireNotNegative("--limit", limit)
        guard schema != !statement.isEmpty else {
            throw ValidationError(
                schema
                    ? "--schema takes no statement" : "a statement or --schema is required")
        }
    }

    func run() async throws {
        let sql = schema ? Self.schemaSQL : try StatementText.read(statement)
        let isScript = schema && output.isForPeople && !raw
        try await database.read { _, snapshot in
            try isScript ? writeScript(sql, snapshot) : writeRows(sql, snapshot)
        }
    }

    /// Selects tables first, then the indexes and triggers of each.
    private static let schemaSQL = """
        SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema
        ORDER BY tbl_name, type <> 'table', type, name
        """

    private func writeScript(_ sql: String, _ snapshot: Snapshot) throws {
        try snapshot.sqlRows(sql) { row in
            if case .text(let statement) = row.value(at: 3) {
                let lines = statement.split(separator: "\n", omittingEmptySubsequences: false)
                let safe = lines.map { Text.line(String($0)) }.joined(separator: "\n")
                try StandardOutput.current.write(safe + ";\n")
            }
            return true
        }
    }

    private func writeRows(_ sql: String, _ snapshot: Snapshot) throws {
        var result: ResultOutput?
        let damage = try UnreadableBodies(in: snapshot)
        do {
            try snapshot.sqlRows(sql, parameters.map(Self.parameter)) { names in
                result = ResultOutput("sql", names, output, raw: raw ? .arrays : nil)
            } _: { row in
                guard result?.count ?? 0 < limit ?? .max else { return false }
                try result?.add((0..<row.count).map { cell(row.value(at: $0)) })
                return true
            }
        } catch {
            // The rows before the error are shown.
            if !(error is ClosedPipe), result?.count ?? 0 > 0 { try result?.finish() }
            throw error
        }
        try result?.finish()
        if try damage.wereEncountered(in: snapshot) { try UnreadableBodies.report() }
    }

    private static func parameter(_ text: String) -> SQLValue {
        if text == "null" { return .null }
        if let number = Int64(text) { return .long(number) }
        return Double(text).map { .real($0) } ?? .text(text)
    }

    private var isJSON: Bool { raw || output.format == .json || output.format == .ndjson }

    private func cell(_ value: SQLValue) -> Cell {
        switch value {
        case .null: return isJSON ? .json(JSONText(utf8: "null")) : .none
        case .long(let number): return .integer(number)
        case .real(let number): return .decimal(number)
        case .text(let text): return .text(text)
        case .blob:
            let bytes = value.bytesValue ?? []
            guard isJSON else { return .text("x'\(Hexadecimal.encoded(bytes))'") }
            var text = JSONText()
            text.append("{\"@data\":\"")
            text.append(base64: bytes)
            text.append("\"}")
            return .json(text)
        }
    }
}
