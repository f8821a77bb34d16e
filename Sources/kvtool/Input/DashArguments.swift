/// Lets ids begin with a dash, as many do that Couchbase Lite 2 made: `-3aW8VeEWNHiXlvj6lhl2Cl`.
/// A query may begin with a comment: `-- all of them`.
///
/// Short options are one letter, and joined ones are taken apart before, so anything longer behind
/// one dash is no option.
/// The parser does not know that; it is told by putting the options first, then `--`, then all else
/// in its order.
enum DashArguments {
    /// Options that take the next argument as their value.
    ///
    /// A test compares them with what the commands say of themselves.
    static let withValue: Set<String> = [
        "--collection", "--scope", "--timeout", "--color", "--progress", "--limit", "--offset",
        "--ids-from", "--where", "--from-line", "--count", "--seed", "--param", "-p", "--seconds",
        "--language", "--array", "--key", "-k", "--path", "--rev",
        "--if-rev", "--with", "--rename", "--at", "--in", "--body", "--diff", "--columns",
        "--since", "--sample", "--keys", "--ignore", "--format", "--id", "--jsonid", "--id-prefix",
        "--idprefix", "--mode",
        "--stop-words", "--dim", "--dimensions", "--metric", "--centroids", "--multi", "--encoding",
        "--largest", "--properties", "--to", "--type", "--out", "-o",
        "--batch", "--on-error", "--error-log", "--template", "--database", "--prune",
    ]

    /// Options of these names that are flags in some commands.
    static let flags: [String: Set<String>] = [
        "ls": ["--body", "--count"], "diff": ["--keys"], "export": ["--array"],
        "shell": ["--batch"], "open": ["--batch"],
    ]

    /// The commands that have `-p`; in others a document may be called so.
    private static let asking: Set<String> = ["query", "select", "SELECT", "explain", "sql"]

    /// Commands that have subcommands of their own.
    private static let nested: Set<String> = ["expire", "index", "blob", "fleece"]

    /// The options of a command that take the next argument as their value.
    static func withValue(in command: String) -> Set<String> {
        withValue.subtracting(flags[command] ?? [])
    }

    /// The same arguments, in an order in which none is misunderstood.
    static func protected(_ arguments: [String]) -> [String] {
        let command = arguments.first ?? ""
        func isValue(_ argument: String) -> Bool {
            argument == "-p" ? !asking.contains(command) : Self.isValue(argument)
        }
        guard arguments.contains(where: isValue), !arguments.contains("--") else {
            return arguments
        }
        let withValue = withValue(in: command)
        var options: [String] = []
        var values: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if !isValue(argument), argument.hasPrefix("-"), argument != "-" {
                options.append(argument)
                if withValue.contains(argument), let value = rest.popFirst() {
                    options.append(value)
                }
            } else {
                values.append(argument)
            }
        }
        // The subcommand's name comes before its options, and so does that of one inside it.
        let words = values.first.map(nested.contains) == true ? 2 : 1
        return values.prefix(words) + options + ["--"] + values.dropFirst(words)
    }

    /// Whether it begins with a dash and is no option all the same.
    private static func isValue(_ argument: String) -> Bool {
        // As the original has it, for `-v -v`.
        guard argument != "-vv" else { return false }
        guard argument.hasPrefix("-"), argument.utf8.count > 2 else { return false }
        guard argument.hasPrefix("--") else { return argument.utf8.dropFirst(2).first != 0x3D }
        return argument.dropFirst(2).first?.isWhitespace == true
    }
}
