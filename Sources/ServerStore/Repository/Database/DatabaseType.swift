/// The location of a database.
public enum DatabaseType: Hashable, Sendable {
    /// In memory, shared by all configurations of the process.
    case inMemory
    /// Private to the configuration and removed with it: empty and in memory, or a copy of the file
    /// at a path.
    case ephemeral(filePath: String?)
    /// In the file at a path, which is created if it does not exist.
    case physical(filePath: String)

    /// Private to the configuration, empty and in memory, removed with it.
    public static var ephemeral: Self { .ephemeral(filePath: nil) }
}
