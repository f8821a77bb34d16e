public import DocumentStore

/// A data file in a directory of a test's own, which goes when the value does.
///
/// ```swift
/// let store = try TemporaryStore()
/// try store.file.write { transaction in … }
/// ```
public final class TemporaryStore: Sendable {
    /// The directory that holds the data file's, for what else the test needs.
    public let directory: TemporaryDirectory
    /// The data file's path.
    public let path: String
    /// The data file, open for writing.
    public let file: DataFile

    /// Makes a new data file, or copies one that is there, such as a golden one.
    ///
    /// - Parameters:
    ///   - source: the data file to copy; nil for a new one.
    ///   - options: how it is opened; `access` is `.create` unless something is copied.
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

    /// The data file once more, on a handle of its own.
    public func reopened(
        _ options: DataFileOptions = DataFileOptions(access: .readWrite)
    ) throws -> DataFile {
        try DataFile(path: path, options: options)
    }
}
