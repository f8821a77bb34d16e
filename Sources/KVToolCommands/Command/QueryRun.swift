internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// What `query` and `select` do: ask a query, and write what comes of it.
struct QueryRun {
    let place: CollectionLocation
    let arguments: QueryArguments
    let asking: QueryOptions
    let upgrade: UpgradeArguments
    let output: OutputArguments

    /// Asks the query, or changes documents.
    ///
    /// - Parameter beginning: what the text of the query is a continuation of.
    func run(after beginning: String = "") async throws {
        try place.requireNoDocument()
        let query = try arguments.named(after: beginning, in: place.named().name)
        // A plan does not depend on them.
        let values =
            asking.explain ? try arguments.values() : try arguments.values(for: query)
        do {
            if asking.explain {
                try await showPlan(query, values)
            } else if query.isChange {
                try await change(query, values)
            } else if asking.watch {
                try await watch(query, values)
            } else {
                try await ask(query, values)
            }
        } catch let error as StoreError where error.has(.queryLimitExceeded) {
            throw ToolError("the query took longer than --seconds \(asking.seconds ?? 0)")
        }
    }
}

// Rows.
extension QueryRun {
    private var database: DatabaseArguments { place.database }

    private func ask(_ query: Query, _ values: QueryParameters) async throws {
        try await database.read { _, snapshot in
            let began = System.nanoseconds
            let damage = try UnreadableBodies(in: snapshot)
            let rows = try query.rows(in: snapshot, values, limits: asking.limits)
            var result = ResultOutput(
                "query", rows.columnNames, output, raw: asking.rawForm)
            var empty = Set(rows.columnNames.indices)
            do {
                try write(rows, to: &result, &empty)
            } catch {
                // What came before it is shown.
                if !(error is ClosedPipe), result.count > 0 { try result.finish() }
                throw error
            }
            let seconds = Double(System.nanoseconds - began) / 1e9
            try finish(&result, seconds: asking.time ? seconds : nil)
            // An aggregate has one row, of nothing too.
            if result.count <= 1 || !empty.isEmpty { noteProperties(query, snapshot) }
            if try damage.wereMet(in: snapshot) { try UnreadableBodies.report() }
        }
    }

    /// Tells of properties that no document has.
    private func noteProperties(_ query: Query, _ snapshot: Snapshot) {
        guard let properties = try? query.properties(in: snapshot) else { return }
        MissingProperties.report(properties, in: snapshot)
    }

    /// - Parameter empty: the columns without a value in any row.
    private func write(
        _ rows: QueryRows, to result: inout ResultOutput, _ empty: inout Set<Int>
    ) throws {
        var skipped = 0
        while result.count < asking.limit ?? .max, let row = try rows.next() {
            if skipped < asking.offset {
                skipped += 1
            } else {
                for column in empty where row[column] != .missing { empty.remove(column) }
                try result.add(row.cells())
            }
        }
    }

    private func finish(_ result: inout ResultOutput, seconds: Double?) throws {
        var trailer = JSONObject()
        trailer.add("seconds", seconds)
        try result.finish(trailer: trailer)
        guard let seconds, asking.rawForm != nil || output.format != .json else { return }
        if output.format == .ndjson {
            var object = JSONObject()
            object.add("count", result.count)
            object.add("seconds", seconds)
            StandardError.current.writeUnprefixed(object.finished().string)
        } else {
            let rows = Text.count(result.count, "row")
            StandardError.current.writeUnprefixed("\(rows) in \(Text.duration(seconds: seconds))")
        }
    }

    private func watch(_ query: Query, _ values: QueryParameters) async throws {
        guard output.format != .csv, output.format != .tsv else {
            throw ValidationError("--watch writes tables, --json, --ndjson or --raw")
        }
        let file = try database.open()
        // What is shown now must not wait for a page to be full.
        try StandardOutput.current.flush()
        let live = LiveResult(output, raw: asking.rawForm)
        for try await results in file.observe(query, values, limits: asking.limits) {
            try live.show(results)
        }
        // Nothing but Ctrl-C ends it, which is no news to whoever has pressed it.
        throw ReportedFailure(status: .interrupted)
    }
}

// Anything else.
extension QueryRun {
    private func showPlan(_ query: Query, _ values: QueryParameters) async throws {
        let explanation = try await database.read { _, snapshot in
            try QueryExplanation(query, values, in: snapshot)
        }
        let details = QueryExplanation.Details(sql: true, json: true, database: database.path)
        try await explanation.write(details, output)
    }

    /// The end of a transaction that only counts.
    private struct Counted: Error {
        let count: Int
        let hasMetDamage: Bool
    }

    /// An UPDATE or DELETE of more documents is asked about, whatever its condition.
    private static let manyDocuments = 1000

    private func change(_ query: Query, _ values: QueryParameters) async throws {
        guard asking.limit == nil, asking.offset == 0 else {
            throw ToolError(
                "--limit and --offset are for rows; write LIMIT into an UPDATE or DELETE",
                status: .usage)
        }
        let began = System.nanoseconds
        let isUnconditional = query.isUnconditionalChange
        let verb = query.sqlPlusPlus.hasPrefix("DELETE") ? "Delete" : "Change"
        let confirmation = Confirmation(
            isGiven: asking.yes || asking.isDry,
            reason: "this changes every document of the collection",
            refusal: "nothing was changed"
        ) { "\(verb) \(Text.count($0, "document"))?" }
        let result: Counted
        do {
            result = try await confirmation.run {
                isUnconditional ? $0 > 0 : $0 > Self.manyDocuments && Question.canPrompt
            } _: { check in
                try await database.write(upgrades: upgrade.upgrade) { transaction in
                    if isUnconditional {
                        // What is wrong with it comes first.
                        _ = try query.explain(in: transaction, values)
                        try confirmation.requireAnswer()
                    }
                    let counted = try counted(query, values, transaction)
                    if counted.count == 0 { noteProperties(query, transaction) }
                    if asking.isDry { throw counted }
                    try check(counted.count)
                    return counted
                }
            }
        } catch let counted as Counted {
            result = counted
        }
        try report(result.count, seconds: Double(System.nanoseconds - began) / 1e9)
        if result.hasMetDamage { try UnreadableBodies.report() }
    }

    private func counted(
        _ query: Query, _ values: QueryParameters, _ transaction: Transaction
    ) throws -> Counted {
        let damage = try UnreadableBodies(in: transaction)
        let count = try query.run(in: transaction, values, limits: asking.limits)
        return Counted(count: count, hasMetDamage: try damage.wereMet(in: transaction))
    }

    private func report(_ count: Int, seconds: Double) throws {
        switch output.format {
        case .json, .ndjson:
            var object = JSONObject()
            object.add("schema", "kvtool.query/1")
            object.add("changed", count)
            object.add("dryRun", asking.isDry)
            object.add("seconds", asking.time ? seconds : nil)
            try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        case .csv, .tsv: try StandardOutput.current.write("changed\n\(count)\n")
        case nil:
            let time = asking.time ? " in \(Text.duration(seconds: seconds))" : ""
            let verb = asking.isDry ? "would be changed" : "changed"
            try StandardOutput.current.write("\(Text.count(count, "document")) \(verb)\(time)\n")
        }
    }
}
