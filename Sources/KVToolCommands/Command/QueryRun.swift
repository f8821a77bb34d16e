internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The implementation of `query` and `select`: runs a query and writes its result.
struct QueryRun {
    let location: CollectionLocation
    let arguments: QueryArguments
    let options: QueryOptions
    let upgrade: UpgradeArguments
    let output: OutputArguments

    /// Runs the query, or changes documents.
    ///
    /// - Parameter beginning: text that precedes the query's.
    func run(after beginning: String = "") async throws {
        try location.requireNoDocument()
        let (query, text) = try arguments.named(after: beginning, in: location.named().name)
        // A plan does not depend on the values.
        let values =
            options.explain ? try arguments.values() : try arguments.values(for: query)
        do {
            if options.explain {
                try await showPlan(query, values)
            } else if query.isChange {
                try await change(query, values)
            } else if options.watch {
                try await watch(query, values)
            } else {
                try await ask(query, values)
            }
        } catch let error as StoreError where error.has(.queryLimitExceeded) {
            throw ToolError("the query took longer than --seconds \(options.seconds ?? 0)")
        } catch let error as StoreError {
            SyntaxMark.show(error, in: text)
            throw error
        }
    }
}

// Rows.
extension QueryRun {
    private var database: DatabaseArguments { location.database }

    private func ask(_ query: Query, _ values: QueryParameters) async throws {
        try await database.read { _, snapshot in
            let began = System.nanoseconds
            let damage = try UnreadableBodies(in: snapshot)
            let rows = try query.rows(in: snapshot, values, limits: options.limits)
            var result = ResultOutput(
                "query", rows.columnNames, output, raw: options.rawForm)
            var empty = Set(rows.columnNames.indices)
            do {
                try write(rows, to: &result, &empty)
            } catch {
                // The rows before the error are shown.
                if !(error is ClosedPipe), result.count > 0 { try result.finish() }
                throw error
            }
            let seconds = Double(System.nanoseconds - began) / 1e9
            try finish(&result, seconds: options.time ? seconds : nil)
            // An aggregate has one row even without input.
            if result.count <= 1 || !empty.isEmpty { noteProperties(query, snapshot) }
            if try damage.wereEncountered(in: snapshot) { try UnreadableBodies.report() }
        }
    }

    /// Reports properties that no document has.
    private func noteProperties(_ query: Query, _ snapshot: Snapshot) {
        guard let properties = try? query.properties(in: snapshot) else { return }
        MissingProperties.report(properties, in: snapshot)
    }

    /// - Parameter empty: the columns without a value in any row.
    private func write(
        _ rows: QueryRows, to result: inout ResultOutput, _ empty: inout Set<Int>
    ) throws {
        var skipped = 0
        while result.count < options.limit ?? .max, let row = try rows.next() {
            if skipped < options.offset {
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
        guard let seconds, options.rawForm != nil || output.format != .json else { return }
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
        // Notes appear now, rather than when a page is full.
        try StandardOutput.current.flush()
        let live = LiveResult(output, raw: options.rawForm)
        for try await results in file.observe(query, values, limits: options.limits) {
            try live.show(results)
        }
        // Only Ctrl-C ends the loop, which needs no message.
        throw ReportedFailure(status: .interrupted)
    }
}

// Plans and changes.
extension QueryRun {
    private func showPlan(_ query: Query, _ values: QueryParameters) async throws {
        let explanation = try await database.read { _, snapshot in
            try QueryExplanation(query, values, in: snapshot)
        }
        let details = QueryExplanation.Details(sql: true, json: true, database: database.path)
        try await explanation.write(details, output)
    }

    /// Thrown to roll back a transaction that only counts.
    private struct Counted: Error {
        let count: Int
        let hasMetDamage: Bool
    }

    /// An UPDATE or DELETE of more documents needs confirmation, whatever its condition.
    private static let manyDocuments = 1000

    private func change(_ query: Query, _ values: QueryParameters) async throws {
        guard options.limit == nil, options.offset == 0 else {
            throw ToolError(
                "--limit and --offset are for rows; write LIMIT into an UPDATE or DELETE",
                status: .usage)
        }
        let began = System.nanoseconds
        let isUnconditional = query.isUnconditionalChange
        let verb = query.sqlPlusPlus.hasPrefix("DELETE") ? "Delete" : "Change"
        let confirmation = Confirmation(
            isGiven: options.yes || options.isDry,
            reason: "this changes every document of the collection",
            refusal: "nothing was changed"
        ) { "\(verb) \(Text.count($0, "document"))?" }
        let result: Counted
        do {
            result = try await confirmation.run {
                isUnconditional ? $0 > 0 : $0 > Self.manyDocuments && Prompt.canPrompt
            } _: { check in
                try await database.write(upgrades: upgrade.upgrade) { transaction in
                    if isUnconditional {
                        // An invalid statement is reported before options.
                        _ = try query.explain(in: transaction, values)
                        try confirmation.requireConfirmation()
                    }
                    let counted = try counted(query, values, transaction)
                    if counted.count == 0 { noteProperties(query, transaction) }
                    if options.isDry { throw counted }
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
        let count = try query.run(in: transaction, values, limits: options.limits)
        return Counted(count: count, hasMetDamage: try damage.wereEncountered(in: transaction))
    }

    private func report(_ count: Int, seconds: Double) throws {
        switch output.format {
        case .json, .ndjson:
            var object = JSONObject()
            object.add("schema", OutputSchema.name("query"))
            object.add("changed", count)
            object.add("dryRun", options.isDry)
            object.add("seconds", options.time ? seconds : nil)
            try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        case .csv, .tsv: try StandardOutput.current.write("changed\n\(count)\n")
        case nil:
            let time = options.time ? " in \(Text.duration(seconds: seconds))" : ""
            let verb = options.isDry ? "would be changed" : "changed"
            try StandardOutput.current.write("\(Text.count(count, "document")) \(verb)\(time)\n")
        }
    }
}
