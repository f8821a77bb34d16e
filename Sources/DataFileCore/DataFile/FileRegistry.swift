internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The open files of this process: opening one again shares it.
final class FileRegistry: Sendable {
    /// Identifies an opened file.
    private struct Key: Hashable {
        let identity: FileSystem.Identity
        /// A read-only handle must not create files, so it does not share a writing connection.
        let isReadOnly: Bool
        let vfs: String?
    }

    private struct Entry {
        let file: SharedFile
        var handles: Int
    }

    static let ofProcess = FileRegistry()

    private let entries = Locked<[Key: Entry]>([:])

    /// The file at a path, which is opened unless it is open already.
    ///
    /// Throws `.invalidParameter` if it is open with other options, `.notADatabaseFile` if it is
    /// open with another key.
    func open(_ bundle: BundlePath, _ options: DataFileOptions) throws -> SharedFile {
        try options.requireValid()
        // Before it is shared, because a link may lead to an open file.
        try bundle.requireOwnFiles()
        if let open = try share(key(bundle, options), options) { return open }
        // Outside the lock, because opening can wait for another process.
        let file = try SharedFile(bundle, options)
        guard let key = key(bundle, options) else {
            file.close()
            throw StoreError(.notFound, "\(bundle.directory) was removed while it was being opened")
        }
        do {
            if let other = try share(key, options, orAdd: file) {
                file.close()
                return other
            }
        } catch {
            file.close()
            throw error
        }
        file.start()
        return file
    }

    /// Releases a handle's use of a file; the last one closes it.
    func release(_ file: SharedFile) {
        let isLast = entries.withLock { entries -> Bool in
            guard let (key, entry) = entries.first(where: { $0.value.file === file }) else {
                return true
            }
            entries[key] = entry.handles > 1 ? Entry(file: file, handles: entry.handles - 1) : nil
            return entry.handles <= 1
        }
        if isLast { file.close() }
    }

    private func key(_ bundle: BundlePath, _ options: DataFileOptions) -> Key? {
        FileSystem.identity(bundle.database).map {
            Key(
                identity: $0, isReadOnly: options.access == .readOnly,
                vfs: options.configuration.vfs)
        }
    }

    private func share(
        _ key: Key?, _ options: DataFileOptions, orAdd file: SharedFile? = nil
    ) throws -> SharedFile? {
        guard let key else { return nil }
        return try entries.withLock { entries in
            guard let entry = entries[key] else {
                if let file { entries[key] = Entry(file: file, handles: 1) }
                return nil
            }
            guard Self.isSame(entry.file.options.encryption, options.encryption) else {
                throw Self.otherKey(entry.file, options.encryption)
            }
            guard entry.file.options.shared == options.shared else {
                throw StoreError(
                    .invalidParameter,
                    "\(entry.file.path) is open in this process with other options "
                        + "(\(entry.file.options.shared)); open it with the same ones, or close it")
            }
            entries[key] = Entry(file: entry.file, handles: entry.handles + 1)
            return entry.file
        }
    }

    private static func isSame(_ left: (any DatabaseKey)?, _ right: (any DatabaseKey)?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.opensSameFiles(as: right)
    }

    /// The error for a wrong key to an open file: the same as if the file were not open.
    private static func otherKey(_ file: SharedFile, _ given: (any DatabaseKey)?) -> StoreError {
        if file.options.encryption == nil {
            return StoreError(EncryptionError.notEncrypted, path: file.path)
        }
        if given == nil {
            return StoreError(EncryptionError.keyRequired, path: file.path)
        }
        return StoreError(
            .notADatabaseFile, "\(file.path) has another key than the one given",
            underlying: EncryptionError.wrongKeyOrNotADatabase)
    }
}
