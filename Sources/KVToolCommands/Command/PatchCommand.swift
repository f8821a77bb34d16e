internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool patch DATABASE FILE`
struct PatchCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch", abstract: "Applies differences written by diff --ndjson.",
        discussion: """
            Examples:
              kvtool diff old.cblite2 new.cblite2 --ndjson > new.patch
              kvtool patch old.cblite2 new.patch --dry-run
              kvtool diff old.cblite2 new.cblite2 --ndjson | kvtool patch copy.cblite2 -

            The patch is applied in one transaction. A document that differs from what the patch \
            expects is a conflict: nothing is changed, and the exit status is 6. --force \
            overwrites such documents; where this is impossible, since a delta fits only one body, \
            the document is left unchanged and the exit status is 7. Changes that are already \
            present are skipped. Removed documents leave tombstones, except in patches of diff \
            --deleted, which specify for each document whether it does.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The patch; - is standard input.", completion: .file()) var file: String
    @OptionGroup var upgrade: UpgradeArguments
    @Flag(help: "Overwrite documents that differ from what the patch expects.") var force = false
    @Flag(
        name: [.customShort("R"), .long],
        help: "Undo the patch, which requires a patch of diff --both.")
    var reverse = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let counts =
            isDry
            ? try await database.read { _, snapshot in try apply(to: snapshot) }
            : try await database.write(upgrades: upgrade.upgrade) { try apply(to: $0) }
        try report(counts)
        if counts.conflicts > 0 {
            throw ReportedFailure(status: force ? .partial : .conflict)
        }
    }

    private func apply(to snapshot: Snapshot) throws -> Patcher.Counts {
        var patcher = Patcher(
            try LineReader(path: file), name: file == "-" ? "standard input" : file,
            reverses: reverse,
            forces: force, snapshot)
        try patcher.run()
        let conflicts = patcher.counts.conflicts
        // An error rolls the transaction back.
        guard conflicts == 0 || force || isDry else {
            throw ToolError(
                "\(Text.count(conflicts, "conflict")), nothing was changed; --force overwrites "
                    + "the documents", status: .conflict)
        }
        return patcher.counts
    }

    private func report(_ counts: Patcher.Counts) throws {
        guard output.isForPeople else { return try reportToPrograms(counts) }
        let verb = isDry ? "Would have " : ""
        var text =
            "\(verb)\(isDry ? "added" : "Added") \(counts.added), removed \(counts.removed), "
            + "changed \(counts.changed)"
        if counts.unchanged > 0 { text += ", skipped \(counts.unchanged) already present" }
        if counts.conflicts > 0 { text += "; \(Text.count(counts.conflicts, "conflict"))" }
        try StandardOutput.current.write(text + "\n")
    }

    private func reportToPrograms(_ counts: Patcher.Counts) throws {
        let fields: [(String, Int)] = [
            ("added", counts.added), ("removed", counts.removed), ("changed", counts.changed),
            ("unchanged", counts.unchanged), ("collections", counts.collections),
            ("conflicts", counts.conflicts),
        ]
        switch output.format {
        case .csv, .tsv:
            var rows = RowOutput(
                "patch", list: "counts", fields.map { Column($0.0, $0.0) }, output)
            try rows.add(fields.map { .number($0.1) })
            try rows.finish()
        default:
            var object = JSONObject()
            object.add("schema", OutputSchema.name("patch"))
            object.add("dryRun", isDry)
            for (name, count) in fields { object.add(name, count) }
            try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        }
    }
}
