internal import StoreFormat

/// Reads a blob, from any place in it.
///
/// It goes on reading the same bytes if the blob is removed meanwhile. Used by one thread at a
/// time.
public final class BlobReader {
    private var source: (any BlobSource)?
    /// How many bytes the blob has.
    public let length: Int
    /// Where the next read begins, from 0 to `length`.
    public private(set) var offset = 0

    init(_ source: any BlobSource) {
        self.source = source
        length = source.length
    }

    /// Fills a buffer, unless the blob ends before that; returns how many bytes it read, 0 at the
    /// end.
    ///
    /// Throws `.notOpen` after `close()`, or the system's error in the domain `.posix`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let source else {
            throw StoreError(.notOpen, "the blob was closed; open it again")
        }
        // A file that grows is not as it was put.
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(min(buffer.count, length - offset)))
        let count = part.isEmpty ? 0 : try source.read(into: part, at: offset)
        offset += count
        return count
    }

    /// The next bytes, at most so many; none at the end. Errors as for `read(into:)`.
    public func readChunk(maximum: Int = 1 << 16) throws -> [UInt8] {
        let count = min(max(maximum, 0), length - offset)
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer).prefix(count)))
        }
    }

    /// Lets the next read begin at an offset; one outside the blob counts as its nearest end.
    public func seek(to offset: Int) { self.offset = min(max(offset, 0), length) }

    /// Ends the reading; it happens by itself when the reader goes.
    public func close() { source = nil }
}
