internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool recover DATABASE NEW`
struct RecoverCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Recovers documents from a damaged database into a new one.",
        discussion: """
            Examples:
              kvtool recover people.cblite2 people-saved.cblite2
              kvtool recover people.cblite2 people-saved.cblite2 --json

            The damaged database is not changed, and must not be open in any process. Pages that \
            SQLite cannot reach are searched for records. A body is recovered only if it is valid. \
            Blobs are copied without a check: run blob check on the new database. If the name of \
            a collection is lost, it is guessed, or is recovered.treeN, where N is the root page \
            of its table; move the documents with mv.

            An encrypted database requires --key-file, --key or the variable KVTOOL_KEY; the new \
            database gets the same key.

            The exit status is 0 if everything was recovered, 7 if something is or may be lost, 5 \
            if nothing was recovered.
            """, aliases: ["repair"])

    @Argument(help: "The damaged database, a directory NAME.cblite2.", completion: .directory)
    var database: String
    @Argument(help: "The new database, which must not exist.", completion: .directory)
    var target: String
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let source = DatabaseAddress(database).path
        guard !source.isEmpty, !target.isEmpty else {
            throw ToolError("the path of a database is empty", status: .usage)
        }
        guard System.entry(source).isNothing || System.entry(target).isNothing else {
            throw ToolError(
                "\(target) already exists; specify another path for the new database",
                status: .conflict)
        }
        let key = try DatabaseKeys.current.specifiedKey(source, key.source)
        let report = RecoveryReport(
            source: source, target: target,
            report: try Salvage(from: source, to: target, encryption: key).run())
        try report.write(output)
        if report.status != .success { throw ReportedFailure(status: report.status) }
    }
}
