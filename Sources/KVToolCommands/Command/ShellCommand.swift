internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool DATABASE`, `kvtool shell DATABASE`
struct ShellCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Reads commands, and does them on a database that stays open.",
        discussion: """
            Examples:
              kvtool people.cblite2
              kvtool -w people.cblite2//hr.staff
              echo 'SELECT COUNT(*) FROM _' | kvtool people.cblite2 --csv

            All commands work in it, without their DATABASE; help lists them, and what else there \
            is. The prompt names the database and the collection; a star says that a transaction \
            is open: begin makes one of the commands up to commit or rollback, and other programs \
            that would write have to wait for that. A command in it that fails, or that Ctrl-C \
            ends, is undone alone; what one has done that could do only a part (status 7) stays. \
            What is not committed at the end is undone, too.

            Where standard input is not a terminal its lines are done one after the other; the exit \
            status is that of the first that failed. Nothing more is done after Ctrl-C, or where \
            a transaction could not begin or was lost.
            """,
        aliases: ["open"])

    @OptionGroup var database: DatabaseArguments
    @Flag(
        name: [
            .customShort("w"), .customLong("write"), .customLong("writeable"),
            .customLong("writable"),
        ], help: "Commands may change the database.")
    var write = false
    @Flag(help: "Make the database if there is none, and let commands change it.")
    var create = false
    @Flag(help: "End with the first command that fails, and with its status.")
    var batch = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        if let format = output.given { OutputDefaults.current.format = format }
        if output.withoutPager { OutputDefaults.current.allowsPager = false }
        OutputDefaults.current.color = output.color
        OutputDefaults.current.showsLines = output.asLines
        OutputDefaults.current.cutHint = ".mode line shows it"
        DatabaseKeys.current.setForShell(database.keySource)
        let shell = try Shell(
            Shell.Beginning(
                address: database.address,
                access: create ? .create : write ? .readWrite : .readOnly,
                timeoutMilliseconds: Int(database.timeoutSeconds * 1000), endsAtError: batch),
            CommandTable(KVTool.self), runner: { await CommandRunner.run($0) })
        let isInteractive =
            System.isTerminal(System.standardInput) && System.isTerminal(System.standardOutput)
        if isInteractive, !batch, StandardError.current.isTerminal {
            StandardError.current.setForPerson()
        }
        let done =
            isInteractive ? try await runEditor(shell) : await shell.run(try StreamInput(path: "-"))
        let left = await shell.leave()
        let status = done == .success ? left : done
        // At a terminal everything has been said.
        guard !isInteractive || batch, status != .success else { return }
        throw ReportedFailure(status: status)
    }

    private func runEditor(_ shell: Shell) async throws -> ExitStatus {
        let access = shell.canWrite ? "" : "read-only "
        StandardError.current.writeUnprefixed(
            "Opened \(access)\(Text.line(shell.place.path)). help lists the commands.")
        let history = ShellHistory(variable: System.environment)
        let lines = (try? history?.load()) ?? []
        guard
            let editor = LineEditor(
                history: lines, limit: ShellHistory.limit,
                completion: {
                    ShellCompleter(table: shell.table, place: shell.place).complete($0)
                })
        else {
            return await shell.run(try StreamInput(path: "-"))
        }
        var mayWrite = true
        return await shell.run(EditorInput(editor)) { text in
            let mayKeep = mayWrite && !ShellHistory.holdsSecret(text)
            for line in ShellHistory.lines(of: text) {
                editor.remember(line)
                guard mayKeep, mayWrite, let history, ShellHistory.mayKeep(line) else { continue }
                do {
                    try history.add(line)
                } catch {
                    mayWrite = false
                    StandardError.current.write(
                        "note: the history \(history.path) cannot be written")
                }
            }
        }
    }
}
