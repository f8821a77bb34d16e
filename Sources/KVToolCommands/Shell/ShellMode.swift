internal import KVToolCore

/// What can be set in the shell.
struct ShellMode {
    /// Where all output goes.
    var output: ShellInstruction.Output?
    /// Where that of the next command goes.
    var once: ShellInstruction.Output?
    /// Whether it is told how long each command took.
    var showsTime = false
    /// Whether the first error ends the shell.
    var endsAtError = false

    /// The forms of output.
    static let names = ["table", "json", "ndjson", "csv", "tsv", "line"]

    /// What sqlite3 calls them.
    private static let otherNames = [
        "column": "table", "box": "table", "tabs": "tsv", "lines": "line", "vertical": "line",
    ]

    /// The words that begin with a point.
    static let pointWords = [
        "bail", "begin", "cd", "collections", "commit", "databases", "exit", "help", "indexes",
        "mode", "once", "open", "output", "quit", "read", "rollback", "schema", "shell", "show",
        "source", "system", "tables", "timer", "timing", "write",
    ]

    /// Those that are commands by another name.
    static let commands: [String: [String]] = [
        "tables": ["lscoll"], "collections": ["lscoll"], "indexes": ["index", "ls"],
        "schema": ["schema"], "databases": ["info"],
    ]

    static func setFormat(_ name: String) throws {
        let name = otherNames[name] ?? name
        guard names.contains(name) else {
            throw ToolError(
                "there is no mode \(Text.line(name)), but \(names.joined(separator: ", "))",
                status: .usage)
        }
        OutputDefaults.current.format = OutputFormat(rawValue: name)
        OutputDefaults.current.showsLines = name == "line"
        StandardError.current.isJSON = ["json", "ndjson"].contains(name)
    }

    /// Where output goes by the words behind `.output`: a file, `|command`, or nothing for here.
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

    /// What is set, a line each.
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
