internal import StorePlatform

internal import SQLCore

/// A file with random read access. Must not be a file that an SQLite connection of this process has
/// open: closing it would release that connection's locks.
package final class RawFile {
    private enum Source {
        case file(ReadableFile)
        /// Fills buffers with bytes that no file contains in this form.
        case function((Int, UnsafeMutableRawBufferPointer) -> Bool)
    }

    private let source: Source
    /// The length in bytes at the time it was opened.
    package let size: Int

    /// `source` fills a buffer with the bytes from an offset on; it returns false if it cannot.
    package init(size: Int, source: @escaping (Int, UnsafeMutableRawBufferPointer) -> Bool) {
        self.source = .function(source)
        self.size = size
    }

    /// Nil if the file does not exist, or is a link or FIFO.
    package init?(_ path: String) {
        guard let file = try? ReadableFile(path) else { return nil }
        source = .file(file)
        size = file.length
    }

    /// The bytes of a range; nil if the range exceeds the file or cannot be read.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
        let bytes: [UInt8]
        switch source {
        case .file(let file): bytes = file.bytes(count, at: offset)
        case .function(let fill):
            bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let part = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
                filled = fill(offset, part) ? count : 0
            }
        }
        return bytes.count == count ? bytes : nil
    }
}

extension FileSystem {
    /// Shortens a file to its first `length` bytes. `truncate`
    package static func cut(_ path: String, to length: Int) throws {
        guard truncate(path, off_t(length)) == 0
        else { throw failure("\(path) cannot be truncated") }
    }

    /// Creates a file and fills it with what `next` puts into a buffer, until it returns 0. `write`
    package static func makeFile(
        _ path: String, _ permissions: FilePermissions = .ownersFile,
        next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions.bits)
        guard output >= 0 else { throw failure("\(path) cannot be created") }
        defer { close(output) }
        try withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
            while true {
                let count = try next(buffer)
                if count == 0 { return }
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), output, path)
            }
        }
    }
}
