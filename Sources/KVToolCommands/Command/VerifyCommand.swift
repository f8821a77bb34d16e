internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool verify DATABASE`
struct VerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks a database completely, and fixes what it can.",
        discussion: """
            Examples:
              kvtool verify people.cblite2
              kvtool verify people.cblite2 --quick
              kvtool verify people.cblite2 --fix
              kvtool verify people.cblite2 --json

            Checks SQLite's pages, the body and revisions of each document, sequences, shared \
            keys, expirations, the content of indexes against the documents, and blobs. An error \
            is damage; a note is for information, and does not affect the use of the file.

            --fix corrects errors where this loses nothing: it rebuilds wrong indexes, moves \
            documents and tombstones to the right tables, raises the last sequence, and resets \
            versions that are years ahead of the system clock to the current time. It then \
            verifies the file again, which determines the exit status. It does not restore lost \
            data; recover saves the rest.

            The exit status is 0 if there are no errors, 5 if there are.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(help: "Skip the content of indexes and blobs.") var quick = false
    @Flag(help: "Check everything (default).") var full = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Check about this many rows of each table, evenly distributed.", valueName: "n"))
    var sample: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "List at most this many findings of a kind, and count the others.", valueName: "n"))
    var limit = 100
    @Flag(help: "Fix errors where this loses nothing.") var fix = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if quick, full { throw ValidationError("--quick and --full exclude each other") }
        if let sample, sample < 1 { throw ValidationError("--sample takes 1 or more") }
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        let file = try arguments.open(fix ? .readWrite : .readOnly, upgrades: upgrade.upgrade)
        let verification = Verification(
            path: file.path,
            options: VerificationOptions(
                level: quick ? .quick : .full, sample: sample, limit: limit))
        var report = try await verification.run(file)
        let fixable = report.findings.filter(\.isFixable)
        guard fix, !fixable.isEmpty else {
            defer { if fix, !report.isIntact { noteNothingFixable() } }
            return try verification.finish(report, nil, output)
        }
        if output.isForPeople { try verification.writeFindings(report) }
        // The findings are shown before the confirmation.
        try StandardOutput.current.flush()
        try confirm(fixable.count)
        let fixed = try await file.fix(fixable)
        report = try await verification.run(file)
        try verification.finish(report, fixed, output)
    }

    private func noteNothingFixable() {
        guard output.isForPeople else { return }
        StandardError.current.writeAboutSubject(
            "note: --fix can correct none of these errors; nothing was changed")
    }

    private func confirm(_ count: Int) throws {
        try Confirmation(
            isGiven: yes, reason: "--fix changes the file", refusal: "nothing was changed"
        ) { "Fix \(Text.count($0, "finding"))?" }
        .ask(count)
    }
}
