internal import KVToolCore

/// The settings of the shell.
struct ShellMode {
    /// The destination of all output.
    var output: ShellInstruction.Output?
    /// The destination of the next command's output.
    var once: ShellInstruction.Output?
    /// Whether to show how long each command took.
    var showsTime = false
    /// Whether the first error ends the shell.
    var endsAtError = false

    /// The output formats.
    static let names = ["table", "json", "ndjson", "csv", "tsv", "line"]

    /// Their names in sqlite3.
    private static let otherNames = [
        "column": "table", "box": "table", "tabs": "tsv", "lines": "line", "vertical": "line",
    ]

    /// The commands that begin with a dot.
    static let pointWords = [
        "bail", "begin", "cd", "collections", "commit", "databases", "exit", "help", "indexes",
        "mode", "once", "open", "output", "quit", "read", "rollback", "schema", "shell", "show",
        "source", "system", "tables", "timer", "timing", "write",
    ]

    /// Those that are other names of commands.
    static let commands: [String: [String]] = [
        "tables": ["lscoll"], "collections": ["lscoll"], "indexes": ["index", "ls"],
        "schema": ["schema"], "databases": ["info"],
    ]

    static func setFormat(_ name: String) throws {
        let name = otherNames[name] ?? name
        guard names.contains(name) else {
            throw ToolError(
                "unknown mode \(Text.line(name)); use one of \(names.joined(separator: ", "))",
                status: .usage)
        }
        OutputDefaults.current.format = OutputFormat(rawValue: name)
        OutputDefaults.current.showsLines = name == "line"
        StandardError.current.isJSON = ["json", "ndjson"].contains(name)
    }

    /// Parses the argument of `.output`: a file, `|command`, or nothing for standard output.
    static func output(_ words: [String]) -> ShellInstruction.Output? {
        let text = words.joined(separator: " ")
        if text.isEmpty || text == "stdout" { return nil }
        if text.hasPrefix("|") { return .pipe(ShellParser.trimmed(text.dropFirst())) }
        return .file(text, appends: false)
    }

    static func isOn(_ words: [String], _ name: String) throws -> Bool {
        switch words {
        case ["on"]: return true
        case ["off"]: return false
        default: throw ToolError("\(name) takes on or off", status: .usage)
        }
    }

    /// The settings, one per line.
    var lines: [String] {
        [
            "mode:   \(Self.format)",
            "output: \(output.map(Self.text) ?? "stdout")",
            "timer:  \(showsTime ? "on" : "off")", "bail:   \(endsAtError ? "on" : "off")",
        ]
    }

    private static var format: String {
        OutputDefaults.current.format?.rawValue
            ?? (OutputDefaults.current.showsLines ? "line" : "table")
    }

    private static func text(_ output: ShellInstruction.Output) -> String {
        switch output {
        case .pipe(let command): "|\(Text.line(command))"
        case .file(let path, _): Text.line(path)
        }
    }
}
