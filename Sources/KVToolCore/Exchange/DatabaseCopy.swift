package import DocumentStore

/// Copies a database file while others use it.
package enum DatabaseCopy {
    /// Copies `file` to a new directory, which appears whole or not at all; Ctrl-C leaves nothing.
    ///
    /// - Returns: the bytes of the new SQLite file.
    package static func run(_ file: DataFile, to path: String, newUUIDs: Bool) throws -> Int {
        guard !path.isEmpty else {
            throw ToolError("the new database's path is empty", status: .usage)
        }
        guard System.entry(path).isNothing else {
            throw ToolError(
                "\(path) exists already; a copy is a new database", status: .conflict)
        }
        var progress = Progress("page")
        defer { progress.finish() }
        do {
            try file.copy(to: path, newUUIDs: newUUIDs) { state in
                progress.total = state.totalPages
                progress.update(state.copiedPages)
                return !Interruption.isRequested
            }
        } catch is CancellationError {
            throw Interrupted(message: "nothing was copied to \(path)")
        } catch let error as StoreError where error.domain == .posix {
            // It names what it is about, which is hardly ever the database that is read.
            throw ToolError(error.message, status: ExitStatus(error))
        }
        // SQLite tells of no step where one is enough.
        guard case .file(let bytes) = System.entry("\(path)/db.sqlite3") else { return 0 }
        return bytes
    }
}
