internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// What `query` and `select` have in common: the options, and what is done with them.
struct AskingArguments: ParsableArguments {
    @OptionGroup var arguments: QueryArguments
    @Option(help: ArgumentHelp("At most this many rows.", valueName: "n")) var limit: Int?
    @Option(help: ArgumentHelp("Leave out the first rows.", valueName: "n")) var offset = 0
    @Option(help: "End the query after so many seconds.") var seconds: Double?
    @Flag(help: "One JSON array, with an object a row.") var raw = false
    @Flag(help: "Do not ask the query, but show how it would be executed.") var explain = false
    @Flag(help: "Tell how long it took.") var time = false
    @Flag(help: "Show the result again whenever it changes, until Ctrl-C.") var watch = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Only say how many documents an UPDATE or DELETE would change.")
    var isDry = false
    @OptionGroup var upgrade: UpgradeArguments

    private var limits: QueryLimits { QueryLimits(seconds: seconds) }

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
        guard offset >= 0 else { throw ValidationError("--offset takes 0 or more") }
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds takes more than 0, and at most 86400")
        }
        guard !watch || (limit == nil && offset == 0) else {
            throw ValidationError("--watch shows all rows; write LIMIT and OFFSET into the query")
        }
        guard !explain || !(watch || raw || time) else {
            throw ValidationError(
                "--explain asks nothing: --watch, --raw and --time are without use")
        }
    }

    /// Asks the query, or changes documents.
    ///
    /// - Parameter beginning: what the text of the query is a continuation of.
    func run(after beginning: String = "", _ output: OutputArguments) async throws {
        let query = try arguments.named(after: beginning)
        let values = try arguments.values()
        do {
            if explain {
                try await showPlan(query, values, output)
            } else if query.isChange {
                try await change(query, values, output)
            } else if watch {
                try await watch(query, values, output)
            } else {
                try await ask(query, values, output)
            }
        } catch let error as StoreError where error.has(.queryLimitExceeded) {
            throw ToolError("the query took longer than --seconds \(seconds ?? 0)")
        }
    }
}

// Rows.
extension AskingArguments {
    private func ask(
        _ query: Query, _ values: QueryParameters, _ output: OutputArguments
    ) async throws {
        try await arguments.database.read { _, snapshot in
            let began = System.nanoseconds
            let rows = try query.rows(in: snapshot, values, limits: limits)
            var result = ResultOutput(
                "query", rows.columnNames, output, raw: raw ? .objects : nil)
            do {
                try write(rows, to: &result)
            } catch {
                // What came before it is shown.
                if !(error is ClosedPipe), result.count > 0 { try result.finish() }
                throw error
            }
            let seconds = Double(System.nanoseconds - began) / 1e9
            try finish(&result, seconds: time ? seconds : nil, output)
        }
    }

    private func write(_ rows: QueryRows, to result: inout ResultOutput) throws {
        var skipped = 0
        while result.count < limit ?? .max, let row = try rows.next() {
            if skipped < offset {
                skipped += 1
            } else {
                try result.add(row.cells())
            }
        }
    }

    private func finish(
        _ result: inout ResultOutput, seconds: Double?, _ output: OutputArguments
    ) throws {
        var trailer = JSONObject()
        trailer.add("seconds", seconds)
        try result.finish(trailer: trailer)
        guard let seconds, raw || output.format != .json else { return }
        if output.format == .ndjson {
            var object = JSONObject()
            object.add("count", result.count)
            object.add("seconds", seconds)
            StandardError.writeUnprefixed(object.finished().string)
        } else {
            let rows = Text.count(result.count, "row")
            StandardError.writeUnprefixed("\(rows) in \(Text.duration(seconds: seconds))")
        }
    }

    private func watch(
        _ query: Query, _ values: QueryParameters, _ output: OutputArguments
    ) async throws {
        guard output.format != .csv, output.format != .tsv else {
            throw ValidationError("--watch writes tables, --json, --ndjson or --raw")
        }
        let file = try arguments.database.open()
        // What is shown now must not wait for a page to be full.
        try StandardOutput.flush()
        let live = LiveResult(output, raw: raw ? .objects : nil)
        for try await results in file.observe(query, values, limits: limits) {
            try live.show(results)
        }
        // Nothing but Ctrl-C ends it, which is no news to whoever has pressed it.
        throw ReportedFailure(status: .interrupted)
    }
}

// Anything else.
extension AskingArguments {
    private func showPlan(
        _ query: Query, _ values: QueryParameters, _ output: OutputArguments
    ) async throws {
        try await arguments.database.read { _, snapshot in
            let details = QueryExplanation.Details(sql: true, json: true)
            try QueryExplanation(query, values, in: snapshot).write(details, output)
        }
    }

    /// The end of a transaction that only counts.
    private struct Counted: Error {
        let count: Int
    }

    private func change(
        _ query: Query, _ values: QueryParameters, _ output: OutputArguments
    ) async throws {
        guard limit == nil, offset == 0 else {
            throw ToolError(
                "--limit and --offset are for rows; write LIMIT into an UPDATE or DELETE")
        }
        let began = System.nanoseconds
        let count: Int
        do {
            count = try await arguments.database.write(upgrades: upgrade.upgrade) { transaction in
                let count = try query.run(in: transaction, values, limits: limits)
                if isDry { throw Counted(count: count) }
                return count
            }
        } catch let counted as Counted {
            count = counted.count
        }
        try report(count, seconds: Double(System.nanoseconds - began) / 1e9, output)
    }

    private func report(_ count: Int, seconds: Double, _ output: OutputArguments) throws {
        switch output.format {
        case .json, .ndjson:
            var object = JSONObject()
            object.add("schema", "kvtool.query/1")
            object.add("changed", count)
            object.add("isDryRun", isDry ? true : nil)
            object.add("seconds", time ? seconds : nil)
            try StandardOutput.write(object.finished().utf8 + [0x0A])
        case .csv, .tsv: try StandardOutput.write("changed\n\(count)\n")
        case nil:
            let time = time ? " in \(Text.duration(seconds: seconds))" : ""
            try StandardOutput.write(
                "\(Text.count(count, "document")) \(isDry ? "would be " : "")changed\(time)\n")
        }
    }
}
