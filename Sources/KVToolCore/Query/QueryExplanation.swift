package import DocumentStore

/// The query plan, and suggestions for indexes, in the requested format.
package struct QueryExplanation {
    /// A suggested index, and its gain if it was measured.
    struct Advice {
        let index: IndexAdvice
        let line: IndexLine
        var gain: IndexAdvice.Gain?
    }

    let query: Query
    let plan: QueryPlan
    let advice: [IndexAdvice]

    /// The details of console output besides the plan.
    package struct Details {
        /// The SQL statement for SQLite.
        package var sql = false
        /// Couchbase Lite's JSON form of the query.
        package var json = false
        /// The line of Swift that creates an index.
        package var swift = false
        /// The path of the database as entered.
        package var database: String

        package init(sql: Bool = false, json: Bool = false, swift: Bool = false, database: String) {
            self.sql = sql
            self.json = json
            self.swift = swift
            self.database = database
        }
    }

    /// Explains a query.
    package init(_ query: Query, _ values: QueryParameters, in snapshot: Snapshot) throws {
        self.query = query
        plan = try query.explain(in: snapshot, values)
        advice = try query.adviseIndexes(in: snapshot)
    }

    /// Writes the explanation.
    ///
    /// - Parameter measure: measures the gain of an index; nil if not requested.
    package func write(
        _ details: Details, _ arguments: OutputArguments,
        measure: ((IndexAdvice) async throws -> IndexAdvice.Gain)? = nil
    ) async throws {
        switch arguments.format {
        case nil: try await writeForPeople(details, measure)
        case .json, .ndjson:
            var all: [Advice] = []
            for index in advice {
                let line = IndexLine(index, database: details.database)
                all.append(Advice(index: index, line: line, gain: try await measure?(index)))
            }
            try StandardOutput.current.write(object(all).utf8 + [0x0A])
        case .csv, .tsv: try writeSteps(arguments)
        }
    }
}

// Console output.
extension QueryExplanation {
    private func writeForPeople(
        _ details: Details, _ measure: ((IndexAdvice) async throws -> IndexAdvice.Gain)?
    ) async throws {
        try StandardOutput.current.write(Self.lines(plan.description) + "\n")
        if details.sql { try StandardOutput.current.write("\nSQL: \(Text.line(plan.sql))\n") }
        if details.json { try StandardOutput.current.write("\nJSON: \(Text.line(query.json))\n") }
        for index in advice {
            try StandardOutput.current.write("\nAn index would help: \(Text.line(index.reason)).\n")
            let line = IndexLine(index, database: details.database)
            let command = line.command ?? "only an application with the model can create it"
            try StandardOutput.current.write("  \(Text.line(command))\n")
            if details.swift { try StandardOutput.current.write("  \(Text.line(line.swift))\n") }
            guard let gain = try await measure?(index) else { continue }
            try StandardOutput.current.write(
                "  measured: \(Self.text(gain.before)) without, \(Self.text(gain.after)) with it; "
                    + "created in \(Self.text(gain.creation))\n")
        }
    }

    /// Escapes each line, so that names cannot affect the terminal.
    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Text.line(String($0)) }.joined(separator: "\n")
    }

    private static func text(_ duration: Duration) -> String {
        Text.duration(seconds: duration / .seconds(1))
    }
}

// Output for programs.
extension QueryExplanation {
    private func object(_ advice: [Advice]) -> JSONText {
        var object = JSONObject()
        object.add("schema", OutputSchema.name("explain"))
        object.add("query", plan.query)
        object.add("json", JSONText(utf8: query.json))
        object.add("sql", plan.sql)
        object.add("scansDocuments", plan.scansDocuments)
        object.add("indexes", plan.indexes)
        object.add("plan", plan.steps.map { $0.object() })
        object.add("advice", advice.map(\.object))
        return object.finished()
    }

    private func writeSteps(_ arguments: OutputArguments) throws {
        var output = RowOutput(
            "explain", list: "plan",
            [
                Column("depth", "Depth", isNumber: true), Column("kind", "Kind"),
                Column("text", "Step"), Column("index", "Index"),
                Column("estimatedRows", "Rows", isNumber: true), Column("detail", "SQLite"),
            ], arguments)
        try add(plan.steps, depth: 0, to: &output)
        try output.finish()
    }

    private func add(
        _ steps: [QueryPlan.Step], depth: Int, to output: inout RowOutput
    ) throws {
        for step in steps {
            try output.add([
                .number(depth), .text(step.kind.name), .text(step.text), .optional(step.index),
                step.estimatedRows.map(Cell.number) ?? .none, .text(step.detail),
            ])
            try add(step.steps, depth: depth + 1, to: &output)
        }
    }
}

extension QueryExplanation.Advice {
    /// As `mkindex` has it.
    private var kind: String {
        switch index.index.kind {
        case .value: "value"
        case .fullText: "fts"
        case .array: "array"
        case .predictive: "predictive"
        case .vector: "vector"
        }
    }

    private var arrayPath: String? {
        if case .array(let path) = index.index.kind { path } else { nil }
    }

    fileprivate var object: JSONText {
        var object = JSONObject()
        object.add("collection", index.collection.description)
        object.add("name", index.index.name)
        object.add("kind", kind)
        object.add("expressions", index.index.expressions.text)
        object.add("array", arrayPath)
        object.add("where", index.index.condition)
        object.add("command", line.command)
        object.add("swift", line.swift)
        object.add("sql", index.sql)
        object.add("reason", index.reason)
        object.add("secondsWithout", gain.map { $0.before / .seconds(1) })
        object.add("secondsWith", gain.map { $0.after / .seconds(1) })
        object.add("secondsToMake", gain.map { $0.creation / .seconds(1) })
        return object.finished()
    }
}

extension QueryPlan.Step {
    fileprivate func object() -> JSONText {
        var object = JSONObject()
        object.add("kind", kind.name)
        object.add("text", text)
        object.add("index", index)
        object.add("estimatedRows", estimatedRows)
        object.add("reasons", reasons)
        object.add("detail", detail)
        object.add("steps", steps.map { $0.object() })
        return object.finished()
    }
}

extension QueryPlan.Step.Kind {
    /// The name for scripts.
    fileprivate var name: String {
        switch self {
        case .scan: "scan"
        case .indexScan: "indexScan"
        case .search: "search"
        case .fullTextSearch: "words"
        case .vectorSearch: "vectors"
        case .elements: "elements"
        case .sort: "sort"
        case .other: "other"
        }
    }
}
