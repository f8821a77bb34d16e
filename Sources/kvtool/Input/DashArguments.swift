/// Lets ids begin with a dash, as many do that Couchbase Lite 2 made: `-3aW8VeEWNHiXlvj6lhl2Cl`.
///
/// The tool has no short options but `-h`, so such an argument is no option. The parser does not
/// know that; it is told by putting the options first, then `--`, then all else in its order.
enum DashArguments {
    /// Options that take the next argument as their value.
    private static let withValue: Set<String> = [
        "--collection", "--timeout", "--limit", "--from-line", "--count", "--seed",
    ]

    /// The same arguments, in an order in which none is misunderstood.
    static func protected(_ arguments: [String]) -> [String] {
        guard arguments.contains(where: isValue), !arguments.contains("--") else {
            return arguments
        }
        var options: [String] = []
        var values: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument.hasPrefix("--") || argument == "-h" {
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

    private static func isValue(_ argument: String) -> Bool {
        argument.hasPrefix("-") && !argument.hasPrefix("--") && argument != "-"
            && argument != "-h"
    }
}
