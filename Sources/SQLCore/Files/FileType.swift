internal import StorePlatform

/// What stands at a path itself, symbolic links not followed.
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

    /// Why a file that SQLite keeps beside a database is refused; nil if it is regular, or not
    /// there.
    static func refusal(_ path: String) -> SQLFileRefusal? {
        switch FileType(path) {
        case .nothing, .regular: nil
        case .link: SQLFileRefusal(path, .link)
        case .directory, .other: SQLFileRefusal(path, .notRegular)
        }
    }
}

/// A regular file that is read at any offset, without following a link or waiting at a FIFO.
package final class ReadableFile {
    private let descriptor: Int32
    /// In bytes, when it was opened.
    package let length: Int

    /// Nil if there is no file, or none that this process may read. `open`
    ///
    /// Throws `SQLFileRefusal` for a link and for what is not a regular file.
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

    /// Up to so many bytes from an offset on; fewer at the end of the file. `pread`
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
