#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is read at any place. Never one that a SQLite connection of this process has open:
/// closing it would drop that one's locks.
final class RawFile {
    private let descriptor: Int32
    /// Reads in place of the system, bytes that are not in any file as they are.
    private var source: ((Int, UnsafeMutableRawBufferPointer) -> Bool)?
    /// The length in bytes, when it was opened.
    let size: Int

    /// Bytes that `source` fills buffers with, from an offset on; false where it cannot.
    init(size: Int, source: @escaping (Int, UnsafeMutableRawBufferPointer) -> Bool) {
        descriptor = -1
        self.source = source
        self.size = size
    }

    /// Nil if there is no such file, or a link or FIFO in its place. `open`
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileSystem.entry(status) == .file else {
            close(descriptor)
            return nil
        }
        size = Int(status.st_size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The bytes of a part, nil if it is not all there or cannot be read. `pread`
    func read(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= size, offset <= size - count else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let source {
                let part = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
                filled = source(offset, part) ? count : 0
                return
            }
            while filled < count {
                let part = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
                    off_t(offset + filled))
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                filled += part
            }
        }
        return bytes.count == count ? bytes : nil
    }
}

extension FileSystem {
    /// Leaves only the beginning of a file. `truncate`
    static func cut(_ path: String, to length: Int) throws {
        guard truncate(path, off_t(length)) == 0 else { throw failure("\(path) cannot be cut") }
    }

    /// Makes a file and fills it with what `next` leaves in a buffer, until it returns 0. `write`
    static func makeFile(
        _ path: String, _ permissions: FilePermissions = FilePermissions(bits: 0o600),
        next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions.bits)
        guard output >= 0 else { throw failure("\(path) cannot be made") }
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
