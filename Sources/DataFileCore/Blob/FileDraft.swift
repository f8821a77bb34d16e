internal import SQLCore
internal import StoreFormat

/// An unfinished blob's file, under a temporary name.
final class FileDraft: BlobDraft {
    private let directory: BlobDirectory
    private var file: OpenFile?
    private let name: String
    /// A file whose owner and permissions the blob gets; if nil, the blob is read-only, and
    /// readable for those who may read the database.
    var model: OpenFile?

    init(_ directory: BlobDirectory, _ file: OpenFile, _ name: String) {
        self.directory = directory
        self.file = file
        self.name = name
    }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try directory.step(.write)
        try requireFile().write(bytes)
    }

    func install(_ digest: BlobDigest, length: Int) throws {
        if try directory.reuse(digest, length: length) { return discard() }
        let file = try requireFile()
        // The grace period starts now, however long writing has taken.
        guard file.touch() else { throw FileSystem.failure("\(file.path) cannot be written") }
        if let model {
            try file.takePermissions(of: model)
        } else {
            try file.makeReadOnly()
        }
        try directory.step(.sync)
        try file.sync()
        try directory.install(name, as: digest)
        self.file = nil
    }

    func discard() {
        guard file != nil else { return }
        // If removal fails, the file is a leftover, which a garbage collection removes.
        try? OpenDirectory(directory.path)?.remove(name)
        file = nil
    }

    private func requireFile() throws -> OpenFile {
        guard let file else {
            throw StoreError(.notOpen, "the unfinished blob in \(directory.path) no longer exists")
        }
        return file
    }
}

/// An unfinished encrypted blob, which is sealed in parts.
final class EncryptedDraft: BlobDraft {
    private let file: FileDraft
    private let parts: any FilePartSealer
    private var buffer: [UInt8] = []
    private var number: UInt64 = 0

    init(_ file: FileDraft, _ cipher: BlobCipher) throws {
        self.file = file
        let (header, parts) = cipher.newFile()
        self.parts = parts
        buffer.reserveCapacity(BlobCipher.chunk)
        try header.withUnsafeBytes { try file.write($0) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(BlobCipher.chunk - buffer.count, rest.count)
            buffer += rest.prefix(count)
            rest = rest.dropFirst(count)
            if buffer.count == BlobCipher.chunk { try flush() }
        }
    }

    func install(_ digest: BlobDigest, length: Int) throws {
        if !buffer.isEmpty { try flush() }
        let count = UInt64(length)
        let end = digest.bytes + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        let sealed = try end.withUnsafeBytes { try parts.seal($0, BlobCipher.trailerNumber) }
        try sealed.withUnsafeBytes { try file.write($0) }
        try file.install(digest, length: length)
    }

    func discard() { file.discard() }

    private func flush() throws {
        let sealed = try buffer.withUnsafeBytes { try parts.seal($0, number) }
        buffer.removeAll(keepingCapacity: true)
        number += 1
        try sealed.withUnsafeBytes { try file.write($0) }
    }
}
