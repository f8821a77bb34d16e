/// Lets ids begin with a dash, as many do that Couchbase Lite 2 made: `-3aW8VeEWNHiXlvj6lhl2Cl`.
/// A query may begin with a comment: `-- all of them`.
///
/// The tool has no short options but `-h`, and `-p` of those that ask queries, so such an argument
/// is no option. The parser does not know that; it is told by putting the options first, then `--`,
/// then all else in its order.
enum DashArguments {
    /// Options that take the next argument as their value.
    private static let withValue: Set<String> = [
        "--collection", "--timeout", "--limit", "--from-line", "--count", "--seed", "--param", "-p",
        "--seconds", "--language", "--array", "--where",
    ]

    /// The commands that have `-p`.
    private static let asking: Set<String> = ["query", "explain"]

    /// The same arguments, in an order in which none is misunderstood.
    static func protected(_ arguments: [String]) -> [String] {
        let isAsking = arguments.first.map(asking.contains) ?? false
        guard arguments.contains(where: { isValue($0, isAsking) }), !arguments.contains("--") else {
            return arguments
        }
        var options: [String] = []
        var values: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if !isValue(argument, isAsking), argument.hasPrefix("-"), argument != "-" {
                options.append(argument)
                if withValue.contains(argument), let value = rest.popFirst() {
                    options.append(value)
                }
            } else {
                values.append(argument)
            }
        }
        // The subcommand's name comes before its options.
        return values.prefix(1) + options + ["--"] + values.dropFirst()
    }

    private static func isValue(_ argument: String, _ isAsking: Bool) -> Bool {
        guard argument.hasPrefix("-"), argument != "-", argument != "-h" else { return false }
        guard argument.hasPrefix("--") else { return !(isAsking && argument == "-p") }
        return isAsking && argument.dropFirst(2).first?.isWhitespace == true
    }
}
