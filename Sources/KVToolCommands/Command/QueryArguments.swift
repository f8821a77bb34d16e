internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The arguments that are a query and its parameters.
struct QueryArguments: ParsableArguments {
    @Argument(
        help: """
            SELECT …, in one or several words; or Couchbase Lite's JSON form, if it begins with \
            '{' or '['. @FILE reads it from a file, - from standard input.
            """)
    var query: [String]

    @Option(
        name: [.customShort("p"), .customLong("param")],
        help: ArgumentHelp(
            "A value for a parameter, NAME=VALUE: JSON, or else a text. Several times for several.",
            valueName: "name=value"))
    var parameters: [String] = []

    /// The query in whichever language it is written; a person is shown where it is wrong.
    ///
    /// - Parameters:
    ///   - beginning: what the text is a continuation of.
    ///   - collection: what `_` stands for.
    func named(after beginning: String = "", in collection: CollectionName) throws -> Query {
        let text = beginning + (try StatementText.read(query))
        do {
            return try Self.isJSON(text)
                ? Query(json: text, in: collection) : Query(text, in: collection)
        } catch let error as StoreError {
            if let place = error.underlying as? QuerySyntaxError {
                SyntaxMark.show(text, line: place.line, column: place.column)
            }
            throw error
        }
    }

    private static func isJSON(_ text: String) -> Bool {
        let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first.map { "{[".utf8.contains($0) } ?? false
    }

    /// The values of a query's parameters, each of which must have one.
    func values(for query: Query) throws -> QueryParameters {
        let (values, names) = (try values(), query.parameterNames)
        let missing = names.filter { values[$0] == nil }
        // Of one that the query does not have, the query says which ones it has.
        guard let first = missing.first, values.values.keys.allSatisfy(names.contains) else {
            return values
        }
        let list = missing.map { "$" + Text.line($0) }.joined(separator: ", ")
        let subject = missing.count == 1 ? "parameter \(list)" : "parameters \(list)"
        throw ToolError(
            "no value is given for the \(subject); --param \(Text.line(first))=VALUE gives one",
            status: .usage)
    }

    /// The values of parameters that are given.
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
            values[String(name)] = (try? QueryValue(json: text)) ?? .string(text)
        }
        return values
    }
}

/// The options of `query` and `select`. See ``QueryRun``.
struct QueryOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "n"))
    var limit: Int?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Leave out the first rows.", valueName: "n"))
    var offset = 0
    @Option(parsing: .unconditional, help: "End the query after so many seconds.")
    var seconds: Double?
    @Flag(help: "One JSON array, with an object a row.") var raw = false
    @Flag(help: "The same as JSON5, without quotes that need not be.") var json5 = false
    @Flag(help: "Do not ask the query, but show how it would be executed.") var explain = false
    @Flag(help: "Tell how long it took.") var time = false
    @Flag(help: "Show the result again whenever it changes, until Ctrl-C.") var watch = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Only say how many documents an UPDATE or DELETE would change.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false

    var limits: QueryLimits { QueryLimits(seconds: seconds) }

    /// The array in place of the forms that all commands have.
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
                "--explain asks nothing: --watch, --raw, --json5 and --time are without use")
        }
    }
}
