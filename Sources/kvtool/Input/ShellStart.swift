/// Makes a command line of `kvtool DATABASE`: a database alone opens the shell.
enum ShellStart {
    /// Options of the shell that take the next argument as their value.
    private static let withValue: Set = ["--color", "--progress", "--timeout"]

    /// The same arguments, with the command's name before them if there is none but a database.
    static func completed(_ arguments: [String]) -> [String] {
        var isValue = false
        for argument in arguments {
            defer { isValue = withValue.contains(argument) }
            guard !isValue, !argument.hasPrefix("-") else { continue }
            return isDatabase(argument) ? ["shell"] + arguments : arguments
        }
        return arguments
    }

    private static func isDatabase(_ argument: String) -> Bool {
        var path = DatabaseAddress(argument).path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return path.hasSuffix(".cblite2")
    }
}
