internal import SQLCore
internal import StoreFormat

// Files left next to the blobs by an interrupted encryption or decryption of the database.
extension BlobDirectory {
    /// Whether this is the name of an unfinished blob.
    package static func isDraft(_ name: String) -> Bool {
        name.utf8.starts(with: draftPrefix.utf8)
    }

    /// Whether this is the name of a blob's file, plaintext or encrypted.
    package static func isBlobName(_ name: String) -> Bool {
        BlobDigest(fileName: name) != nil
            || BlobDigest(fileName: name, suffix: BlobCipher.suffix) != nil
    }

    /// Whether a file is a plaintext one next to its intact encrypted form, so that removing it
    /// loses nothing.
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

    /// Removes the plaintext files next to their encrypted forms, however new they are: any process
    /// that may read the directory could read them.
    ///
    /// - Parameters:
    ///   - context: a connection to the encrypted database. While it reads, no other process can
    ///     decrypt the database, which would need the plaintext files.
    ///   - databaseDirectory: the directory of its file, which is synced first: after a power
    ///     failure a database that is plaintext again would need the plaintext files.
    func removePlainLeftovers(_ context: SQLContext, databaseDirectory: String) throws {
        guard let directory = try OpenDirectory(path), try !plainLeftovers(in: directory).isEmpty
        else {
            return
        }
        try context.transaction(.deferred) {
            // A database that was just decrypted and is still open no longer has the file.
            guard try StoredBlobKey.stored(in: context) != nil, try lockAlone(directory) else {
                return
            }
            try FileSystem.syncDirectory(databaseDirectory)
            for name in try plainLeftovers(in: directory) { try directory.remove(name) }
            try directory.sync()
        }
    }

    package func misnamedFiles() throws -> MisnamedBlobFiles {
        var misnamed = MisnamedBlobFiles()
        guard let directory = try OpenDirectory(path) else { return misnamed }
        misnamed.plain = try plainLeftovers(in: directory)
        if cipher == nil { misnamed.encrypted = try encryptedFiles(in: directory) }
        return misnamed
    }

    /// The files with the name and header of an encrypted blob.
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

    /// Entries with the name of a blob that are not files: links, directories, devices.
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

    /// Encrypted files that do not identify their blob: damaged ones, and ones whose key is lost.
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
