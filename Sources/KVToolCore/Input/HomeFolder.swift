/// The folder that `~` stands for, in lines that no system's shell has seen.
package enum HomeFolder {
    /// A path that begins with `~/`, or with `@~/` for what is read from a file, as a whole path.
    package static func expanded(_ path: String, home: String? = System.environment("HOME"))
        -> String
    {
        guard let home, !home.isEmpty else { return path }
        for start in ["~/", "@~/"] where path.hasPrefix(start) {
            return String(start.dropLast(2)) + home + path.dropFirst(start.count - 1)
        }
        return path
    }
}
