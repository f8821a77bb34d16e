package import DocumentStore
internal import Synchronization

/// The databases that commands have opened.
///
/// They are closed when the command has ended, however it ends: the program exits at once then, and
/// a log would be left behind.
package final class OpenFiles: ContextValue {
    private let files = Mutex<[DataFile]>([])

    package init() {}

    /// How many there are.
    package var count: Int { files.withLock(\.count) }

    /// Notes one that was opened.
    package func add(_ file: DataFile) {
        files.withLock { $0.append(file) }
        // Only of what is read something is made for others.
        if file.options.access == .readOnly { System.restrictNewFiles(to: file.path) }
    }

    /// Closes those that were opened since there were `count`.
    package func close(after count: Int) {
        let closing = files.withLock { files in
            defer { files.removeSubrange(min(count, files.count)...) }
            return files.dropFirst(count)
        }
        for file in closing { file.close() }
    }
}
