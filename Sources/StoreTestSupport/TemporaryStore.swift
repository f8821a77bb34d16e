public import DocumentStore

/// A data file in a temporary directory of a test, removed when the value is released.
///
/// ```swift
/// let store = try TemporaryStore()
/// let collection = DocumentCollection(.default)
/// try store.file.write { transaction in
///     _ = try collection.save("ada", in: transaction) {
///         try $0.writeJSON(#"{"name": "Ada"}"#)
///     }
/// }
/// let count = try store.file.read { try collection.count(in: $0).live }
/// #expect(count == 1)
/// ```
///
/// A test that needs existing documents copies a data file:
///
/// ```swift
/// let store = try TemporaryStore(copyOf: "Fixtures/people.cblite2")
/// let names = try store.file.read { try $0.collectionNames() }
/// ```
///
/// The file is on the disk, as in an application, so that it can also be opened a second time
/// (``reopened(_:)``), by another program (``ChildProcess``) or with a faulty file system
/// (``FaultVFS``). For a database without files, use `DataFile(inMemory:)`.
public final class TemporaryStore: Sendable {
    /// The directory that contains the data file's, for other files of the test.
    ///
    /// It is removed with the store, unless the test has a reference to it.
    public let directory: TemporaryDirectory
    /// The data file's path: a directory with the extension `cblite2`, which contains `db.sqlite3`.
    public let path: String
    /// The data file, open for writing unless other options were specified.
    ///
    /// It is closed when the store is released, and may be closed before.
    public let file: DataFile

    /// Creates a new data file, or copies an existing one, such as a golden one.
    ///
    /// - Parameters:
    ///   - source: the path of the data file to copy; nil to create a new one (default).
    ///   - options: the options with which it is opened; by default `access` is `.create`, or
    ///     `.readWrite` for a copied file.
    /// - Throws: an error of Foundation if the file cannot be copied, or a `StoreError` if it
    ///   cannot be opened.
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
    ///
    /// Both handles share their connections within the process. To open a file as after a restart
    /// of the program, close ``file`` first:
    ///
    /// ```swift
    /// let store = try TemporaryStore()
    /// store.file.close()
    /// let reader = try store.reopened(DataFileOptions(access: .readOnly))
    /// ```
    ///
    /// - Parameter options: how it is opened; for reading and writing by default.
    /// - Returns: the handle, which the caller closes or releases.
    /// - Throws: a `StoreError` if it cannot be opened.
    public func reopened(
        _ options: DataFileOptions = DataFileOptions(access: .readWrite)
    ) throws -> DataFile {
        try DataFile(path: path, options: options)
    }
}
