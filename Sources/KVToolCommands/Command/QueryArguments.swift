internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// A query and its parameters.
struct QueryArguments: ParsableArguments {
    @Argument(
        help: """
            SELECT …, in one or more arguments; or Couchbase Lite's JSON form, if it begins with \
            '{' or '['. @FILE reads it from a file, - from standard input.
            """)
    var query: [String]

    @Option(
        name: [.customShort("p"), .customLong("param")],
        help: ArgumentHelp(
            """
            A parameter value NAME=VALUE: JSON, or otherwise a string; @FILE reads it from a file, \
            and @FILE#PATH a part of it; a string that begins with @ needs quotes; repeatable.
            """,
            valueName: "name=value"))
    var parameters: [String] = []

    /// Parses the query in either language; a terminal shows the position of a syntax error.
    /// Returns the text, too, in which errors of meaning have positions.
    ///
    /// - Parameters:
    ///   - beginning: text that precedes the query's.
    ///   - collection: the collection that `_` stands for.
    func named(
        after beginning: String = "", in collection: CollectionName
    ) throws -> (Query, String) {
        let text = beginning + (try StatementText.read(query))
        do {
            let query =
                try Self.isJSON(text)
                ? Query(json: text, in: collection) : Query(text, in: collection)
            return (query, text)
        } catch let error as StoreError {
            SyntaxMark.show(error, in: text)
            throw error
        }
    }

    private static func isJSON(_ text: String) -> Bool {
        let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first.map { "{[".utf8.contains($0) } ?? false
    }

    /// Returns the values of the query's parameters; throws if one is missing.
    func values(for query: Query) throws -> QueryParameters {
        let (values, names) = (try values(), query.parameterNames)
        let missing = names.filter { values[$0] == nil }
        // The query itself reports a value for a parameter that it does not have.
        guard let first = missing.first, values.values.keys.allSatisfy(names.contains) else {
            return values
        }
        let list = missing.map { "$" + Text.line($0) }.joined(separator: ", ")
        let subject = missing.count == 1 ? "parameter \(list)" : "parameters \(list)"
        throw ToolError(
            "no value is given for the \(subject); use --param \(Text.line(first))=VALUE",
            status: .usage)
    }

    /// Returns the parameter values that the options give.
    func values() throws -> QueryParameters {
        var values = QueryParameters()
        for parameter in parameters {
            guard let equals = parameter.firstIndex(of: "="), equals > parameter.startIndex else {
                throw ToolError(
                    "--param takes NAME=VALUE, not \"\(Text.line(parameter))\"", status: .usage)
            }
            var name = parameter[..<equals]
            if name.first == "$" { name = name.dropFirst() }
            let text = String(parameter[parameter.index(after: equals)...])
            values[String(name)] =
                try ParameterFile(text)?.value() ?? (try? QueryValue(json: text)) ?? .string(text)
        }
        return values
    }
}

/// The options of `query` and `select`. See ``QueryRun``.
struct QueryOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "n"))
    var limit: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Skip this many rows first.", valueName: "n"))
    var offset = 0
    @Option(parsing: .unconditional, help: "Stop the query after this many seconds.")
    var seconds: Double?
    @Flag(help: "Write one JSON array with an object per row.") var raw = false
    @Flag(help: "Write the array as JSON5, without optional quotes.") var json5 = false
    @Flag(help: "Show the query plan instead of running the query.") var explain = false
    @Flag(help: "Show how long the query took.") var time = false
    @Flag(help: "Show the result again whenever it changes, until Ctrl-C.") var watch = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show how many documents UPDATE or DELETE would change.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false

    var limits: QueryLimits { QueryLimits(seconds: seconds) }

    /// The array form, which replaces the formats common to all commands.
    var rawForm: ResultOutput.RawForm? { json5 ? .json5 : raw ? .objects : nil }

    func validate() throws {
        try requireNotNegative("--limit", limit)
        try requireNotNegative("--offset", offset)
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds takes more than 0, and at most 86400")
        }
        guard !watch || (limit == nil && offset == 0) else {
            throw ValidationError("--watch shows all rows; write LIMIT and OFFSET into the query")
        }
        guard !explain || !(watch || raw || json5 || time) else {
            throw ValidationError(
                "--explain cannot be combined with --watch, --raw, --json5 or --time")
        }
    }
}
