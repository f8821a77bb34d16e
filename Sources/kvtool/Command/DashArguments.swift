/// Lets ids begin with a dash, as many do that Couchbase Lite 2 made: `-3aW8VeEWNHiXlvj6lhl2Cl`.
/// A query may begin with a comment: `-- all of them`.
///
/// Short options are one letter, and joined ones are taken apart before, so anything longer behind
/// one dash is no option.
/// The parser does not know that; it is told by putting the options first, then `--`, then all else
/// in its order.
enum DashArguments {
    /// The same arguments, in an order in which none is misunderstood.
    static func protected(_ arguments: [String]) -> [String] {
        lazy var known = CommandOptions(of: arguments)
        func isValue(_ argument: String) -> Bool {
            // A command without parameters may have a document of this name.
            argument == "-p" ? !known.has("-p") : Self.isValue(argument)
        }
        guard !arguments.contains("--"), arguments.contains(where: isValue) else {
            return arguments
        }
        var options: [String] = []
        var values: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if !isValue(argument), argument.hasPrefix("-"), argument != "-" {
                options.append(argument)
                if known.takesValue(argument), let value = rest.popFirst() {
                    options.append(value)
                }
            } else {
                values.append(argument)
            }
        }
        // The subcommand's name comes before its options, and so does that of one inside it.
        let words = values.first.flatMap(NestedCommand.names) == nil ? 1 : 2
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
