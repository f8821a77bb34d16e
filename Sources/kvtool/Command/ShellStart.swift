/// Makes a command line of `kvtool DATABASE`: a database alone opens the shell.
enum ShellStart {
    /// The same arguments, with the command's name before them if there is none but a database.
    static func completed(_ arguments: [String]) -> [String] {
        guard arguments.contains(where: isDatabase) else { return arguments }
        lazy var known = CommandOptions(of: ["shell"])
        var isValue = false
        for argument in arguments {
            defer { isValue = argument.hasPrefix("-") && known.takesValue(argument) }
            guard !isValue, !argument.hasPrefix("-") else { continue }
            return isDatabase(argument) ? ["shell"] + arguments : arguments
        }
        return arguments
    }

    private static func isDatabase(_ argument: String) -> Bool {
        var path = DatabaseAddress(argument).path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return path.hasSuffix(".cblite2") || DatabaseNames.folder(ofFile: argument) != nil
    }
}
