internal import StorePlatform

/// The type of the file at a path; symbolic links are not followed.
enum FileType {
    case nothing, regular, directory, link, other

    /// `lstat`
    init(_ path: String) {
        var status = stat()
        self = lstat(path, &status) == 0 ? FileType(status) : .nothing
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .link
        default: self = .other
        }
    }

    /// Why a file that accompanies a database is refused; nil if it is regular or does not exist.
    static func refusal(_ path: String) -> SQLFileRefusal? {
        switch FileType(path) {
        case .nothing, .regular: nil
        case .link: SQLFileRefusal(path, .link)
        case .directory, .other: SQLFileRefusal(path, .notRegular)
        }
    }
}

/// A regular file for reads at any offset. Opening it does not follow a link or block on a FIFO.
package final class ReadableFile {
    private let descriptor: Int32
    /// The length in bytes when the file was opened.
    package let length: Int

    /// Opens a file; nil if it does not exist or this process may not read it. `open`
    ///
    /// Throws `SQLFileRefusal` for a symbolic link and for a file that is not regular.
    package init?(_ path: String) throws(SQLFileRefusal) {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if let refusal = FileType.refusal(path) { throw refusal }
            return nil
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileType(status) == .regular else {
            close(descriptor)
            throw SQLFileRefusal(path, .notRegular)
        }
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads up to `count` bytes from an offset; fewer at the end of the file. `pread`
    package func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        guard offset >= 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
                    off_t(offset + filled))
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return }
                filled += part
            }
        }
    }
}
