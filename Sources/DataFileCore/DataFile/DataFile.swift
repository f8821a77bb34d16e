internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A database of Couchbase Lite's format: a folder with a SQLite file in it.
///
/// ```swift
/// let file = try DataFile(path: "people.cblite2")
/// let names = try file.read { try $0.collectionNames() }
/// ```
/// A handle can be used from all threads and tasks. Readers see a snapshot each and never wait for
/// a writer; writers come one after another. Handles to the same file share its connections.
public final class DataFile: Sendable {
    /// The folder, as an absolute path; `:memory:` if there is none.
    public let path: String
    /// How it was opened.
    public let options: DataFileOptions

    let shared: SharedFile
    private let isOpen = Locked(true)

    /// Opens a file.
    ///
    /// Throws `StoreError`: `.notFound`, `.cannotOpenFile`, `.notADatabaseFile`, `.wrongFormat`,
    /// `.databaseTooOld`, `.databaseTooNew`, `.corruptData`, `.busy`, `.notWriteable`, or
    /// `.invalidParameter` if this process has it open with other options. Nothing is upgraded.
    public init(path: String, options: DataFileOptions = DataFileOptions()) throws {
        let bundle = BundlePath(path)
        shared = try StoreError.wrapping(path: bundle.folder) {
            try FileRegistry.ofProcess.open(bundle, options)
        }
        self.path = shared.path
        self.options = options
    }

    /// Makes a database in memory, which is gone when its handle is closed.
    ///
    /// It has one connection: a reader waits for a writer, and within a write it sees what that has
    /// done so far. Throws `.invalidParameter` for options with a key: what it needs no memory for
    /// any more, in temporary files, would be plain.
    public init(inMemory options: DataFileOptions = DataFileOptions(access: .create)) throws {
        shared = try StoreError.wrapping(path: ":memory:") {
            try options.requireValid()
            guard options.encryption == nil else { throw EncryptionError.noFile }
            return try SharedFile(inMemory: options)
        }
        path = shared.path
        self.options = options
    }

    deinit {
        close()
    }

    /// Ends the use of the file through this handle; later use throws `.notOpen`.
    ///
    /// The last handle closes the connections, after those who are at work.
    public func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { FileRegistry.ofProcess.release(shared) }
    }

    /// The file, while the handle is open.
    ///
    /// Throws `.notOpen`.
    package func requireOpen() throws -> SharedFile {
        guard isOpen.withLock({ $0 }) else { throw StoreError.closed(path) }
        return shared
    }

    /// The same, if the handle may write.
    ///
    /// Throws `.notOpen` or `.notWriteable`.
    package func requireWriter() throws -> SharedFile {
        let shared = try requireOpen()
        guard options.access != .readOnly else {
            throw StoreError(.notWriteable, "\(path) was opened for reading only")
        }
        return shared
    }
}

extension DataFile {
    /// The schema that the file had when it was opened, such as 503; see `docs/file-format.md`.
    public var schemaVersion: Int { shared.schemaVersion }

    /// Whether the file was opened without locks, because its folder cannot be written: what a
    /// writer has in its log and not yet in the file is then not seen.
    public var isImmutable: Bool { shared.isImmutable }
}
