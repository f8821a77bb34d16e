package import DocumentStore

/// Copies a database file while other processes use it.
package enum DatabaseCopy {
    /// Copies `file` to a new directory, which appears only when it is complete; Ctrl-C leaves
    /// nothing behind.
    ///
    /// - Returns: the bytes of the new SQLite file.
    package static func run(_ file: DataFile, to path: String, newUUIDs: Bool) throws -> Int {
        guard !path.isEmpty else {
            throw ToolError("the new database's path is empty", status: .usage)
        }
        guard System.entry(path).isNothing else {
            throw ToolError(
                "\(path) already exists; a copy is always a new database", status: .conflict)
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
            // The error names its file, which is rarely the source database.
            throw ToolError(error.message, status: ExitStatus(error))
        }
        // SQLite does not report progress if one step is enough.
        guard case .file(let bytes) = System.entry("\(path)/db.sqlite3") else { return 0 }
        return bytes
    }
}
