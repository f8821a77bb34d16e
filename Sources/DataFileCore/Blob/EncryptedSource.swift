internal import SQLCore
internal import StoreFormat
internal import StorePlatform

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The bytes of an encrypted blob.
final class EncryptedSource: BlobSource {
    let length: Int
    /// The digest stored in the file.
    let statedDigest: BlobDigest
    private let file: OpenFile
    private let parts: any FilePartSealer
    /// The part that was read last: readers proceed in small steps.
    private let latest = Locked<(number: Int, bytes: Data)?>(nil)

    /// - Parameter digest: the blob that it must be; nil for any blob.
    ///
    /// Throws `.corruptData` if the file was changed, or belongs to another blob or database.
    init(_ file: OpenFile, _ cipher: BlobCipher, of digest: BlobDigest? = nil) throws {
        self.file = file
        let size = try file.status().size
        guard let length = BlobCipher.length(ofStored: size),
            let parts = cipher.parts(header: try Self.read(file, BlobCipher.header, at: 0)),
            let end = try Self.read(file, BlobCipher.trailer, at: size - BlobCipher.trailer)
                .withUnsafeBytes({ parts.open($0, BlobCipher.trailerNumber) }),
            let stated = BlobDigest(bytes: end.prefix(BlobDigest.length)),
            stated == digest ?? stated,
            end.suffix(8).reduce(0, { $0 << 8 | UInt64($1) }) == UInt64(length)
        else { throw Self.damage(file.path) }
        self.length = length
        self.parts = parts
        statedDigest = stated
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        var done = 0
        while done < buffer.count, offset + done < length {
            let (number, start) = (offset + done).quotientAndRemainder(
                dividingBy: BlobCipher.chunk)
            let bytes = try part(number)
            let count = min(bytes.count - start, buffer.count - done)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
            let first = bytes.startIndex + start
            bytes.copyBytes(to: target, from: first..<first + count)
            done += count
        }
        return done
    }

    private func part(_ number: Int) throws -> Data {
        if let latest = latest.withLock({ $0 }), latest.number == number { return latest.bytes }
        let count = min(BlobCipher.chunk, length - number * BlobCipher.chunk) + BlobCipher.tag
        let start = BlobCipher.header + number * (BlobCipher.chunk + BlobCipher.tag)
        let sealed = try Self.read(file, count, at: start)
        guard let bytes = sealed.withUnsafeBytes({ parts.open($0, UInt64(number)) }) else {
            throw Self.damage(file.path)
        }
        latest.withLock { $0 = (number, bytes) }
        return bytes
    }

    private static func read(_ file: OpenFile, _ count: Int, at offset: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    static func damage(_ path: String) -> StoreError {
        StoreError(
            .corruptData,
            "\(path) was tampered with, is damaged, or belongs to another blob or database; "
                + "put the same bytes again, restore it from a backup, or move it away to continue "
                + "without it")
    }
}
