internal import StoreFormat

/// Reads a blob sequentially or at any offset.
///
/// ```swift
/// let reader = try file.blobs.open(photo)
/// while true {
///     let chunk = try reader.readChunk()
///     if chunk.isEmpty { break }
///     show(chunk.count)
/// }
/// ```
///
/// It continues to read the same bytes if the blob is removed or the data file is closed meanwhile.
/// It does not compare the digest; see ``BlobStore/verify(_:)``. In an encrypted database each part
/// is authenticated before its bytes are returned.
///
/// Use it on one thread at a time. For an asynchronous sequence see
/// ``BlobStore/chunks(of:bytes:)``.
public final class BlobReader {
    private var source: (any BlobSource)?
    /// The length of the blob in bytes, at the time of opening.
    public let length: Int
    /// The offset of the next read, from 0 to `length`.
    public private(set) var offset = 0

    init(_ source: any BlobSource) {
        self.source = source
        length = source.length
    }

    /// Fills a buffer, or reads to the end of the blob, and advances ``offset``.
    ///
    /// ```swift
    /// var header = [UInt8](repeating: 0, count: 12)
    /// let reader = try file.blobs.open(photo)
    /// let count = try header.withUnsafeMutableBytes { try reader.read(into: $0) }
    /// ```
    ///
    /// - Parameter buffer: where the bytes are written; what follows the bytes read is unchanged.
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: ``StoreError/Code/notOpen`` after ``close()``; ``StoreError/Code/corruptData`` if
    ///   a part of an encrypted blob cannot be authenticated; or the system's error in the domain
    ///   ``StoreError/Domain/posix``.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let source else {
            throw StoreError(.notOpen, "the blob was closed; open it again")
        }
        // Ignores bytes beyond the length at the time of opening.
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(min(buffer.count, length - offset)))
        let count = part.isEmpty ? 0 : try source.read(into: part, at: offset)
        offset += count
        return count
    }

    /// Reads the next bytes, and advances ``offset``.
    ///
    /// - Parameter maximum: the maximum number of bytes; 65,536 by default.
    /// - Returns: fewer bytes before the end; empty at the end.
    /// - Throws: as ``read(into:)``.
    public func readChunk(maximum: Int = 1 << 16) throws -> [UInt8] {
        let count = min(max(maximum, 0), length - offset)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer).prefix(count)))
        }
    }

    /// Sets the offset of the next read; one outside the blob is clamped to the nearest end.
    ///
    /// ```swift
    /// let reader = try file.blobs.open(photo)
    /// reader.seek(to: reader.length - 128)
    /// let tag = try reader.readChunk()
    /// ```
    public func seek(to offset: Int) { self.offset = min(max(offset, 0), length) }

    /// Closes the blob; deinitialization does so, too. Later reads throw.
    public func close() { source = nil }
}
