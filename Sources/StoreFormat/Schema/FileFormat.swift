/// Which forms of the file this version reads and writes.
///
/// The schema is SQLite's `user_version` of a file.
public enum FileFormat {
    /// The schemas of files that are read.
    public static let readableSchemas = SchemaSQL.oldestReadable...SchemaSQL.newestReadable

    /// The schema of new files, and of those that are written to.
    public static let writtenSchema = SchemaSQL.currentVersion
}
