/// Options that stand before the command's name, as in `kvtool --color ls people.cblite2`: commands
/// have them behind it.
enum LeadingOptions {
    /// Options that take the next argument as their value.
    private static let withValue: Set = [
        "--color", "--progress", "--timeout", "--collection", "--scope",
    ]
    private static let writing: Set = ["-w", "--write", "--writeable", "--writable"]
    private static let shells: Set = ["shell", "open"]
    /// Commands that make the database that they are given.
    private static let making: Set = ["import", "load", "cp"]

    /// The same arguments, the command's name first.
    ///
    /// Throws for what the original has and this tool does not, and says what there is.
    static func moved(_ arguments: [String]) throws -> [String] {
        let arguments = withColour(arguments)
        if arguments == ["-v"] { return ["--version"] }
        let count = leadingCount(arguments)
        let (options, rest) = (arguments[..<count], arguments[count...])
        guard options.isDisjoint(from: ["--help", "-h"]), !options.isEmpty else {
            return arguments
        }
        guard let command = rest.first else {
            return arguments.count > 1 && options.contains("--version")
                ? ["version"] + options.filter { $0 != "--version" } : arguments
        }
        try refuse(options)
        if command.contains(".cblite2") { return arguments }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return rest[..<end] + (try kept(options, by: command)) + rest[end...]
    }

    /// Says of `--color` without a word what the original takes it for: colours at a terminal.
    private static func withColour(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments.indices.map { index in
            guard index < end, arguments[index] == "--color" else { return arguments[index] }
            let next = index + 1 < end ? arguments[index + 1] : ""
            return ["auto", "always", "never"].contains(next) ? "--color" : "--color=auto"
        }
    }

    private static func leadingCount(_ arguments: [String]) -> Int {
        var count = 0
        while count < arguments.count, arguments[count].hasPrefix("-"), arguments[count] != "--" {
            count += withValue.contains(arguments[count]) ? 2 : 1
        }
        return min(count, arguments.count)
    }

    private static func refuse(_ options: ArraySlice<String>) throws {
        if options.contains("--encrypted") {
            throw ToolError(
                "there is no --encrypted: no encrypted database is read", status: .usage)
        }
        if options.contains("--upgrade=vv") {
            throw ToolError(
                "there is no --upgrade=vv, but kvtool convert DATABASE --to vectors", status: .usage
            )
        }
    }

    /// The options without those that a command needs not be told.
    private static func kept(
        _ options: ArraySlice<String>, by command: String
    ) throws -> [String] {
        guard !shells.contains(command) else { return Array(options) }
        // Commands that write open the database for it by themselves.
        let kept = options.filter { !writing.contains($0) }
        guard kept.contains("--create"), command != "mkcoll" else { return Array(kept) }
        guard making.contains(command) else {
            throw ToolError(
                "\(Text.line(command)) makes no database; mkcoll --create, import and load do",
                status: .usage)
        }
        return kept.filter { $0 != "--create" }
    }
}

extension ArraySlice<String> {
    fileprivate func isDisjoint(from others: Set<String>) -> Bool {
        !contains(where: others.contains)
    }
}
