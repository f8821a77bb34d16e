/// Where a database is.
public enum DatabaseType: Hashable, Sendable {
    /// In memory, one for all configurations of the process.
    case inMemory
    /// One of the configuration's own, which goes with it: empty and in memory, or a copy of the
    /// file at a path.
    case ephemeral(filePath: String?)
    /// In the file at a path, which is made if it is not there.
    case physical(filePath: String)

    /// One of the configuration's own, empty and in memory, which goes with it.
    public static var ephemeral: Self { .ephemeral(filePath: nil) }
}
