internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool patch DATABASE FILE`
struct PatchCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch", abstract: "Applies the differences that diff --ndjson has written.",
        discussion: """
            Examples:
              kvtool diff old.cblite2 new.cblite2 --ndjson > new.patch
              kvtool patch old.cblite2 new.patch --dry-run
              kvtool diff old.cblite2 new.cblite2 --ndjson | kvtool patch copy.cblite2 -

            All is one transaction. A document that is not as the patch expects it is a conflict: \
            nothing is changed then, and the exit status is 6. --force writes over such a \
            document; where that cannot be done, since a delta fits one body only, it stays as it \
            is, and the exit status is 7. What is already so is left as it is. \
            A document that is removed leaves a tombstone, but for patches of diff --deleted, \
            which say which do.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
    @OptionGroup var upgrade: UpgradeArguments
    @Flag(help: "Write over documents that are not as the patch expects.") var force = false
    @Flag(
        name: [.customShort("R"), .long],
        help: "Take the patch back; it must have been made with diff --both.")
    var reverse = false
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
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
        // An error undoes the transaction.
        guard conflicts == 0 || force || isDry else {
            throw ToolError(
                "\(Text.count(conflicts, "conflict")), so nothing was changed; --force writes "
                    + "over the documents", status: .conflict)
        }
        return patcher.counts
    }

    private func report(_ counts: Patcher.Counts) throws {
        guard output.isForPeople else { return try reportToPrograms(counts) }
        let verb = isDry ? "Would have " : ""
        var text =
            "\(verb)\(isDry ? "added" : "Added") \(counts.added), removed \(counts.removed), "
            + "changed \(counts.changed)"
        if counts.unchanged > 0 { text += ", left \(counts.unchanged) that were so already" }
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
            object.add("schema", "kvtool.patch/1")
            object.add("dryRun", isDry)
            for (name, count) in fields { object.add(name, count) }
            try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        }
    }
}
