internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The files that are open in this process: who opens one again shares it.
final class FileRegistry: Sendable {
    /// What makes two opened files the same.
    private struct Key: Hashable {
        let identity: FileSystem.Identity
        /// A handle for reading must leave no trace: it does not share a connection for writing.
        let isReadOnly: Bool
        let vfs: String?
    }

    private struct Entry {
        let file: SharedFile
        var handles: Int
    }

    static let ofProcess = FileRegistry()

    private let entries = Locked<[Key: Entry]>([:])

    /// The file at a path, opened if it is not open yet.
    ///
    /// Throws `.invalidParameter` if it is open with other options, `.notADatabaseFile` for another
    /// key than it is open with.
    func open(_ bundle: BundlePath, _ options: DataFileOptions) throws -> SharedFile {
        try options.requireValid()
        // Before it is shared: a link may lead to a file that is open.
        try bundle.requireOwnFiles()
        if let open = try share(key(bundle, options), options) { return open }
        // Outside the lock, which others need: opening can wait for another process.
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

    /// Ends the use of a file by one handle; the last one closes it.
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

    /// Why a file is not shared with who gives another key than it is open with: the same as if
    /// nobody had it open.
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
