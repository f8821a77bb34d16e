internal import DocumentStore

/// Where a command may write a file.
enum OutputPlace {
    /// Throws for a file in the folder of a database, or in the one of its blobs: what stands there
    /// is the database.
    static func requireOutsideOfDatabases(_ path: String) throws {
        guard let folder = DatabaseFolder.around(path) else { return }
        throw ToolError(
            "\(Text.line(path)) is in the database \(Text.line(folder)); give another place",
            status: .conflict)
    }
}
