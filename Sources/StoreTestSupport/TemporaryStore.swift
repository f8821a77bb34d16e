public import DocumentStore

/// A data file in a temporary directory of a test, removed when the value is released.
///
/// ```swift
/// let store = try TemporaryStore()
/// try store.file.write { transaction in … }
/// ```
public final class TemporaryStore: Sendable {
    /// The directory that contains the data file's, for other files of the test.
    public let directory: TemporaryDirectory
    /// The data file's path.
    public let path: String
    /// The data file, open for writing.
    public let file: DataFile

    /// Creates a new data file, or copies an existing one, such as a golden one.
    ///
    /// - Parameters:
    ///   - source: the data file to copy; nil to create a new one.
    ///   - options: the options with which it is opened; `access` is `.create` unless a file is
    ///     copied.
    public init(copyOf source: String? = nil, options: DataFileOptions? = nil) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        path = try source.map { try directory.copy(of: $0) } ?? directory("store.cblite2")
        let access: DataFileOptions.Access = source == nil ? .create : .readWrite
        file = try DataFile(path: path, options: options ?? DataFileOptions(access: access))
    }

    deinit {
        file.close()
    }

    /// Opens the data file again, with a handle of its own.
    public func reopened(
        _ options: DataFileOptions = DataFileOptions(access: .readWrite)
    ) throws -> DataFile {
        try DataFile(path: path, options: options)
    }
}
