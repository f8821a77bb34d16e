internal import KVToolCore

/// The text of the shell's `help`, wrapped for the terminal.
struct ShellHelp {
    let table: CommandTable
    let columns: Int

    /// The minimum width of the descriptions next to the names.
    private static let minimumWidth = 24

    var lines: [String] {
        let commands = table.shownCommands.filter { !["shell", "help"].contains($0.name) }
        return list(commands.map { ($0.name, $0.abstract) }) + [""]
            + LineWrapping.lines(Self.introduction, columns) + [""] + list(Self.words)
    }

    private static let introduction =
        "Commands take no DATABASE here; help COMMAND shows details."

    private static let words = [
        (
            "SELECT … UPDATE … DELETE …",
            "a query, up to ; or an empty line"
        ),
        ("cd [SCOPE.]COLLECTION", "changes the collection; cd alone selects the default one"),
        ("begin, commit, rollback", "a transaction of several commands; * in the prompt"),
        ("begin --upgrade", "also upgrades a file with an older schema first"),
        ("COMMAND > FILE, >> FILE", "writes the output to a file; after a query: ; > FILE"),
        ("COMMAND | COMMAND", "pipes the output to a command of the system's shell"),
        ("!COMMAND", "runs a command of the system's shell"),
        ("source FILE", "executes the lines of a file; also .read"),
        (".mode FORM", "output format: table, line, json, ndjson, csv or tsv"),
        (".write on|off", "allows commands to change the database, or not"),
        (".timing on|off", "shows how long commands take, or not; also .timer"),
        (".bail on|off", "ends the shell at the first error, or not"),
        (".output FILE, .once FILE", "writes all output, or that of the next command, to a file"),
        (".open DATABASE", "opens another database"),
        (".show", "shows the settings"),
        (".tables .indexes .schema", "lscoll, index ls, schema"),
        (".databases", "info"),
        ("quit, exit, Ctrl-D", "ends the shell; Ctrl-C interrupts a command"),
    ]

    private func list(_ pairs: [(name: String, text: String)]) -> [String] {
        let width = pairs.map { DisplayWidth.cells($0.name) }.max() ?? 0
        let indent = 2 + width + 2
        guard columns - indent >= Self.minimumWidth else {
            return pairs.flatMap { pair in
                ["  " + pair.name] + wrapped(pair.text, indent: 4)
            }
        }
        return pairs.flatMap { pair in
            var lines = wrapped(pair.text, indent: indent)
            let name = "  " + DisplayWidth.padded(pair.name, width + 2)
            lines[0] = name + lines[0].dropFirst(indent)
            return lines
        }
    }

    private func wrapped(_ text: String, indent: Int) -> [String] {
        LineWrapping.lines(text, columns - indent).map {
            String(repeating: " ", count: indent) + $0
        }
    }
}
