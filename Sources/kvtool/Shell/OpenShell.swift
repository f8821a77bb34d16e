internal import Synchronization

/// What the shell that runs a command allows it.
enum OpenShell {
    private static let isReadOnly = Mutex(false)

    /// From now on commands do, or do not, change the database.
    static func setReadOnly(_ value: Bool) { isReadOnly.withLock { $0 = value } }

    /// Throws if the database was opened for reading only.
    static func requireWritable() throws {
        guard isReadOnly.withLock({ !$0 }) else {
            throw ToolError("the database is open for reading only; begin with kvtool -w to write")
        }
    }
}
