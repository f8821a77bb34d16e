internal import SQLCore

/// A blob in the making whose file is encrypted, a part at a time.
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
