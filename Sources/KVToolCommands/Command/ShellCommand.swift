internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool DATABASE`, `kvtool shell DATABASE`
struct ShellCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Opens an interactive shell on a database.",
        discussion: """
            Examples:
              kvtool people.cblite2
              kvtool -w people.cblite2//hr.staff
              echo 'SELECT COUNT(*) FROM _' | kvtool people.cblite2 --csv

            All commands work in the shell, without their DATABASE; help lists them and the \
            shell's own commands. The prompt shows the database and the collection, and a star \
            while a transaction is open: begin starts one that includes all commands up to commit \
            or rollback, and writers in other processes wait for its end. A command that fails or \
            is interrupted by Ctrl-C is rolled back alone; the changes of a command that succeeded \
            partially (status 7) stay. The shell rolls back an open transaction when it ends.

            If standard input is not a terminal, its lines are executed one after the other; the \
            exit status is that of the first command that failed. Execution stops after Ctrl-C, or \
            if a transaction could not begin or was lost.
            """,
        aliases: ["open"])

    @OptionGroup var database: DatabaseArguments
    @Flag(
        name: [
            .customShort("w"), .customLong("write"), .customLong("writeable"),
            .customLong("writable"),
        ], help: "Allow commands to change the database.")
    var write = false
    @Flag(help: "Create the database if it does not exist; implies --write.")
    var create = false
    @Flag(help: "Stop at the first command that fails, with its exit status.")
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
        // On a terminal errors have been shown.
        guard !isInteractive || batch, status != .success else { return }
        throw ReportedFailure(status: status)
    }

    private func runEditor(_ shell: Shell) async throws -> ExitStatus {
        let access = shell.canWrite ? "" : "read-only "
        StandardError.current.writeUnprefixed(
            "Opened \(access)\(Text.line(shell.location.path)). help lists the commands.")
        let history = ShellHistory(variable: System.environment)
        let lines = (try? history?.load()) ?? []
        guard
            let editor = LineEditor(
                history: lines, limit: ShellHistory.limit,
                completion: {
                    ShellCompleter(table: shell.table, location: shell.location).complete($0)
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
