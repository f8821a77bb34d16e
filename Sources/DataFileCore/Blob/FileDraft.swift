internal import StoreFormat

/// A file that is written and has no name yet that anybody looks for.
final class FileDraft: BlobDraft {
    private let folder: BlobFolder
    private var file: OpenFile?
    private let name: String
    /// A file whose owner and permissions the blob gets; else nobody may write it, and those may
    /// read it who may read the database.
    var model: OpenFile?

    init(_ folder: BlobFolder, _ file: OpenFile, _ name: String) {
        self.folder = folder
        self.file = file
        self.name = name
    }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try folder.step(.write)
        try requireFile().write(bytes)
    }

    func install(_ digest: BlobDigest, length: Int) throws {
        if try folder.reuse(digest, length: length) { return discard() }
        let file = try requireFile()
        // The grace begins now, however long the writing has taken.
        guard file.touch() else { throw FileSystem.failure("\(file.path) cannot be written") }
        if let model {
            try file.takePermissions(of: model)
        } else {
            try file.makeReadOnly()
        }
        try folder.step(.sync)
        try file.sync()
        try folder.install(name, as: digest)
        self.file = nil
    }

    func discard() {
        guard file != nil else { return }
        // What cannot be removed now is a leftover, which a collection removes.
        try? OpenFolder(folder.path)?.remove(name)
        file = nil
    }

    private func requireFile() throws -> OpenFile {
        guard let file else {
            throw StoreError(.notOpen, "the blob in the making at \(folder.path) is gone")
        }
        return file
    }
}
