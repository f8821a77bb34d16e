internal import KVToolCore

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

/// Lets the value of an option begin with a dash: `--limit -1`, `--id -3aW8VeEWNHiXlvj6lhl2Cl`.
///
/// The parser takes such a word for an option, and says that a value is missing. Bound to its
/// option with `=` it is a value, of which the command can say what is wrong with it.
enum DashValues {
    /// The same arguments, in which such values are bound.
    static func bound(_ arguments: [String]) -> [String] {
        lazy var known = CommandOptions(of: arguments)
        var bound: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument.hasPrefix("--"), let value = rest.first, isValue(value),
                known.takesValue(argument)
            {
                rest.removeFirst()
                bound.append("\(argument)=\(value)")
            } else {
                bound.append(argument)
            }
        }
        let passed = arguments.count - rest.count
        return passed > 0 && arguments[passed - 1] == "--" ? bound + ["--"] + rest : bound
    }

    /// Whether it is a number, or longer than a short option.
    private static func isValue(_ argument: String) -> Bool {
        let bytes = Array(argument.utf8)
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "-"), bytes[1] != UInt8(ascii: "-") else {
            return false
        }
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]) { return true }
        return bytes.count > 2 && bytes[2] != UInt8(ascii: "=") && argument != "-vv"
    }
}
