internal import SQLCore
internal import StoreFormat

// Files that the encryption of a database, or its opposite, has left beside the blobs.
extension BlobDirectory {
    /// Blobs in the making are called so.
    package static func isDraft(_ name: String) -> Bool {
        name.utf8.starts(with: draftPrefix.utf8)
    }

    /// Whether the file of a blob is called so, a plain or an encrypted one.
    package static func isBlobName(_ name: String) -> Bool {
        BlobDigest(fileName: name) != nil
            || BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil
    }

    /// Whether a file is a plain one beside its encrypted form, all of which is sound: nothing is
    /// lost with it.
    func isPlainLeftover(_ name: String, in directory: OpenDirectory) throws -> Bool {
        guard cipher != nil, let blob = BlobDigest(fileName: name),
            directory.status(name)?.entry == .file
        else { return false }
        return try directory.file(fileName(blob)).map { try isSound($0, blob) } ?? false
    }

    private func plainLeftovers(in directory: OpenDirectory) throws -> [String] {
        var names: [String] = []
        try directory.forEachName { if try isPlainLeftover($0, in: directory) { names.append($0) } }
        return names
    }

    /// Removes the plain files beside their encrypted forms, however new they are: whoever may
    /// read the directory could read them.
    ///
    /// - Parameters:
    ///   - context: a connection to the encrypted database. While it reads, nobody can decrypt
    ///     that, who would need the plain files.
    ///   - databaseDirectory: where its file is. That it is the encrypted one must be on the disk
    ///     before: after a loss of power the plain one would need them.
    func removePlainLeftovers(_ context: SQLContext, databaseDirectory: String) throws {
        guard let directory = try OpenDirectory(path), try !plainLeftovers(in: directory).isEmpty else {
            return
        }
        try context.transaction(.deferred) {
            // Of a database that has just been decrypted, and is open still, it is gone.
            guard try StoredBlobKey.stored(in: context) != nil, try lockAlone(directory) else {
                return
            }
            try FileSystem.syncDirectory(databaseDirectory)
            for name in try plainLeftovers(in: directory) { try directory.remove(name) }
            try directory.sync()
        }
    }

    package func strays() throws -> MisnamedBlobFiles {
        var strays = MisnamedBlobFiles()
        guard let directory = try OpenDirectory(path) else { return strays }
        strays.plain = try plainLeftovers(in: directory)
        if cipher == nil { strays.encrypted = try encryptedFiles(in: directory) }
        return strays
    }

    /// The files that are named, and begin, as those of encrypted blobs.
    private func encryptedFiles(in directory: OpenDirectory) throws -> [String] {
        var names: [String] = []
        try directory.forEachName { name in
            guard BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil,
                directory.status(name)?.entry == .file, let file = try directory.file(name)
            else { return }
            var header = [UInt8](repeating: 0, count: BlobCipher.header)
            let count = try header.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            if BlobCipher.isHeader(header.prefix(count)) { names.append(name) }
        }
        return names
    }

    package func damaged() throws -> ((BlobDigest) -> Bool)? {
        let names = try unknownFiles().union(irregularFiles())
        guard !names.isEmpty else { return nil }
        return { names.contains(self.fileName($0)) }
    }

    /// What has the name of a blob and is not a file: links, directories, devices.
    func irregularFiles() throws -> Set<String> {
        guard let directory = try OpenDirectory(path) else { return [] }
        var names: Set<String> = []
        try directory.forEachName { name in
            let isBlob = cipher == nil ? BlobDigest(fileName: name) != nil : isEncryptedBlob(name)
            guard isBlob, let status = directory.status(name), status.entry != .file else { return }
            names.insert(name)
        }
        return names
    }

    /// Encrypted files that do not say whose they are: damaged ones, and those whose key is gone.
    private func unknownFiles() throws -> Set<String> {
        guard let directory = try OpenDirectory(path) else { return [] }
        var names: Set<String> = []
        try directory.forEachName { name in
            guard isEncryptedBlob(name), directory.status(name)?.entry == .file,
                try digest(ofFile: name, in: directory) == nil
            else { return }
            names.insert(name)
        }
        return names
    }
}
