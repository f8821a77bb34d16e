internal import DataFileCore

/// Copies a database file while others use it.
enum DatabaseCopy {
    /// Copies `file` to a new folder, which appears whole or not at all; Ctrl-C leaves nothing.
    ///
    /// - Returns: the pages that were copied.
    static func run(_ file: DataFile, to path: String, newUUIDs: Bool) throws -> Int {
        guard System.entry(path).isNothing else {
            throw ToolError(
                "\(path) exists already; a copy is a new database", status: .conflict)
        }
        var progress = Progress("page")
        defer { progress.finish() }
        var pages = 0
        do {
            try file.copy(to: path, newUUIDs: newUUIDs) { state in
                pages = state.totalPages
                progress.total = state.totalPages
                progress.update(state.copiedPages)
                return !Task.isCancelled
            }
        } catch is CancellationError {
            throw Interrupted(message: "nothing was copied to \(path)")
        }
        return pages
    }
}
