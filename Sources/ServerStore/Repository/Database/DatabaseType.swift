/// The location of a database.
///
/// ```swift
/// let preview = DatabaseConfiguration(databaseType: .ephemeral)
/// let copy = DatabaseConfiguration(databaseType: .ephemeral(filePath: path))
/// let own = DatabaseConfiguration(databaseType: .physical(filePath: path))
/// ```
/// Only a file can be encrypted; a copy has the key of the original.
public enum DatabaseType: Hashable, Sendable {
    /// In memory, shared by all configurations of the process.
    case inMemory
    /// Private to the configuration and removed with it: empty and in memory, or a copy of the file
    /// at a path.
    case ephemeral(filePath: String?)
    /// In the file at a path, which is created if it does not exist.
    case physical(filePath: String)

    /// Private to the configuration, empty and in memory, removed with it; the same as
    /// `ephemeral(filePath: nil)`.
    public static var ephemeral: Self { .ephemeral(filePath: nil) }
}
