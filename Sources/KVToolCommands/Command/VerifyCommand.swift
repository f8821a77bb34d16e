internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool verify DATABASE`
struct VerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Looks for everything that can be wrong with a database.",
        discussion: """
            Examples:
              kvtool verify people.cblite2
              kvtool verify people.cblite2 --quick
              kvtool verify people.cblite2 --fix
              kvtool verify people.cblite2 --json

            Looked at are SQLite's pages, the body and the revisions of each document, sequences, \
            shared keys, expirations, the contents of indexes compared with the documents, and \
            blobs. An error is damage; a note is worth knowing, and the file works as it is.

            --fix puts right what can be put right without losing anything: it makes wrong indexes \
            again, moves documents and tombstones into their own tables, raises the last sequence, \
            gives versions that are years ahead of the system clock the present time. Then the \
            file is verified again, and that decides the exit status. What is lost stays lost: \
            repair saves the rest.

            Exit status: 0 no errors, 5 errors.
            """)

    @OptionGroup var arguments: DatabaseArguments
    @Flag(help: "Without the contents of indexes and blobs.") var quick = false
    @Flag(help: "Everything; so it is anyway.") var full = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Look at about this many rows of each table, evenly spread.", valueName: "n"))
    var sample: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "List at most this many findings of a kind; the others are counted.", valueName: "n"))
    var limit = 100
    @Flag(help: "Put right what can be put right.") var fix = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if quick, full { throw ValidationError("--quick and --full contradict each other") }
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
        guard fix, !fixable.isEmpty else { return try verification.finish(report, nil, output) }
        if output.isForPeople { try verification.writeFindings(report) }
        // What is asked about is seen first.
        try StandardOutput.current.flush()
        try confirm(fixable.count)
        let repair = try await file.fix(fixable)
        report = try await verification.run(file)
        try verification.finish(report, repair, output)
    }

    private func confirm(_ count: Int) throws {
        try Confirmation(
            isGiven: yes, reason: "--fix changes the file", refusal: "nothing was changed"
        ) { "Put right \(Text.count($0, "finding"))?" }
        .ask(count)
    }
}
