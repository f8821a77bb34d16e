package import DocumentStore
internal import Synchronization

/// The databases that commands have opened.
///
/// They are closed when the command ends, for whatever reason. Otherwise the program would exit
/// immediately and leave a WAL behind.
package final class OpenFiles: ContextValue {
    private let files = Mutex<[DataFile]>([])

    package init() {}

    /// The number of open databases.
    package var count: Int { files.withLock(\.count) }

    /// Records an opened database.
    package func add(_ file: DataFile) {
        files.withLock { $0.append(file) }
        // Only a database that is read can be a source of files with its data.
        if file.options.access == .readOnly { System.restrictNewFiles(to: file.path) }
    }

    /// Closes the databases opened since there were `count`.
    package func close(after count: Int) {
        let closing = files.withLock { files in
            defer { files.removeSubrange(min(count, files.count)...) }
            return files.dropFirst(count)
        }
        for file in closing { file.close() }
    }
}
