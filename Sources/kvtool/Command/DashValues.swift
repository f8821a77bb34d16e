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
