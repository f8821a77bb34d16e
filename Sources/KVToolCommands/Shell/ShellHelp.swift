internal import KVToolCore

/// What the shell's `help` says, in lines that fit the terminal.
struct ShellHelp {
    let table: CommandTable
    let columns: Int

    /// Names stand before what is said of them if there is space for so many cells of that.
    private static let room = 24

    var lines: [String] {
        let commands = table.shownCommands.filter { !["shell", "help"].contains($0.name) }
        return list(commands.map { ($0.name, $0.abstract) }) + [""]
            + LineWrapping.lines(Self.introduction, columns) + [""] + list(Self.words)
    }

    private static let introduction =
        "Commands have no DATABASE here; help COMMAND tells more of one."

    private static let words = [
        (
            "SELECT … UPDATE … DELETE …",
            "a query, up to ; or an empty line"
        ),
        ("cd [SCOPE.]COLLECTION", "goes to a collection; cd alone to the default one"),
        ("begin, commit, rollback", "a transaction of several commands; the prompt has a * in it"),
        ("begin --upgrade", "one that upgrades a file of an older schema first"),
        ("COMMAND > FILE, >> FILE", "where its output goes; behind a query: ; > FILE"),
        ("COMMAND | COMMAND", "the output to a command of the system's shell"),
        ("!COMMAND", "a command of the system's shell"),
        ("source FILE", "does the lines of a file; also .read"),
        (".mode FORM", "how rows are written: table, line, json, ndjson, csv or tsv"),
        (".write on|off", "whether commands may change the database"),
        (".timing on|off", "whether it is told how long a command took; also .timer"),
        (".bail on|off", "whether the first error ends the shell"),
        (".output FILE, .once FILE", "where all output goes, or that of the next command"),
        (".open DATABASE", "goes to another database"),
        (".show", "what is set"),
        (".tables .indexes .schema", "lscoll, index ls, schema"),
        (".databases", "info"),
        ("quit, exit, Ctrl-D", "ends; Ctrl-C ends what runs"),
    ]

    private func list(_ pairs: [(name: String, text: String)]) -> [String] {
        let width = pairs.map { DisplayWidth.cells($0.name) }.max() ?? 0
        let indent = 2 + width + 2
        guard columns - indent >= Self.room else {
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
