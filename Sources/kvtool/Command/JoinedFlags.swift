/// Takes flags of one letter apart that are typed as one word: `-n -y` for `-ny`.
///
/// Else such a word would be taken for an id that begins with a dash, and the flags in it, as
/// `--dry-run`, would not hold. See ``DashArguments``.
enum JoinedFlags {
    /// Ids are longer; the command is not asked about them.
    private static let lengths = 3...8

    /// The same arguments, with each word that consists of flags of the command taken apart.
    ///
    /// What stands behind `--` or is the value of an option stays as it is.
    static func apart(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        guard arguments[..<end].contains(where: mayBeJoined) else { return arguments }
        let known = CommandOptions(of: arguments)
        var apart: [String] = []
        var isValue = false
        for argument in arguments[..<end] {
            apart += isValue ? [argument] : flags(argument, known) ?? [argument]
            isValue = !isValue && known.takesValue(argument)
        }
        return apart + arguments[end...]
    }

    private static func mayBeJoined(_ argument: String) -> Bool {
        argument.hasPrefix("-") && !argument.hasPrefix("--")
            && lengths.contains(argument.utf8.count)
    }

    /// Nil if it is anything else than flags of the command.
    private static func flags(_ argument: String, _ known: CommandOptions) -> [String]? {
        guard mayBeJoined(argument) else { return nil }
        let flags = argument.dropFirst().map { "-\($0)" }
        return flags.allSatisfy(known.isFlag) ? flags : nil
    }
}
