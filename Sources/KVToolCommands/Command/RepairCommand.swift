internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool repair DATABASE NEW`
struct RepairCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Saves what can be saved of a damaged database.",
        discussion: """
            Examples:
              kvtool repair people.cblite2 people-saved.cblite2
              kvtool repair people.cblite2 people-saved.cblite2 --json

            The damaged database stays as it is; nobody may have it open. What SQLite cannot reach \
            any more is looked for in the pages themselves. A body is believed only if it is \
            sound. An encrypted one needs --key-file, --key or the variable KVTOOL_KEY; the new \
            one gets the same key.

            Exit status: 0 all was saved, 7 a part is or may be lost, 5 nothing could be saved.
            """)

    @Argument(help: "The damaged database, a directory NAME.cblite2.", completion: .directory)
    var database: String
    @Argument(help: "The new one, where nothing may be yet.", completion: .directory)
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
                "\(target) exists already; give another place for what is saved",
                status: .conflict)
        }
        let key = try DatabaseKeys.current.said(source, key.source)
        let report = RepairReport(
            source: source, target: target,
            report: try Salvage(from: source, to: target, encryption: key).run())
        try report.write(output)
        if report.status != .success { throw ReportedFailure(status: report.status) }
    }
}
