internal import StorePlatform
internal import Synchronization

extension System {
    /// The type of the file at a path. `stat`
    package enum Entry: Equatable {
        case nothing, directory, other
        case file(bytes: Int)

        package var isNothing: Bool { self == .nothing }
    }

    /// The mode in which a file is opened.
    package enum OpenMode {
        /// Opens an existing file for reading.
        case reading
        /// Creates a file for this user only; fails if it exists.
        case creating
        /// Creates a file that others may read, as far as the umask allows; fails if it exists.
        case creatingShared
        /// Creates a file, or truncates an existing one.
        case replacing
        /// Creates a file for this user only, or appends to an existing one.
        case appending

        fileprivate var flags: Int32 {
            switch self {
            case .reading: System.readingFlags
            case .creating, .creatingShared: O_WRONLY | O_CREAT | O_EXCL
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .appending: O_WRONLY | O_CREAT | O_APPEND
            }
        }

        fileprivate var permissions: mode_t {
            self == .replacing || self == .creatingShared ? System.permissions(0o644) : 0o600
        }
    }

    /// The type of the file at a path, following links. `stat`
    package static func entry(_ path: String) -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(bytes: Int(status.st_size))
        default: return .other
        }
    }

    /// Whether two paths refer to the same file. `stat`
    package static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev
            && one.st_ino == two.st_ino
    }

    /// The permissions of a file; nil if it does not exist, or is a link. `lstat`
    static func permissions(_ path: String) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_mode & 0o777
    }

    /// Sets the permissions of an open file. `fchmod`
    static func setPermissions(_ permissions: mode_t, of descriptor: Int32) {
        _ = fchmod(descriptor, permissions)
    }

    /// Whether users other than the owner may read a file. `stat`
    static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// Opens a file, which child processes do not inherit. `open`
    ///
    /// - Throws: `Failure`, or `CancellationError` on Ctrl-C before a FIFO is opened for reading by
    ///   another process.
    package static func open(_ path: String, _ mode: OpenMode) throws -> Int32 {
        if mode == .replacing || mode == .appending, isFIFO(path) { return try openFIFO(path) }
        let descriptor = openFile(path, mode.flags | O_CLOEXEC, mode.permissions)
        guard descriptor >= 0 else { throw Failure() }
        // A FIFO without a writer was opened without blocking; reading blocks until Ctrl-C.
        if mode == .reading { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
        return descriptor
    }

    /// On systems other than Linux, a nonblocking FIFO without a writer appears to be at its end.
    private static var readingFlags: Int32 {
        #if os(Linux)
            O_RDONLY | O_NONBLOCK
        #else
            O_RDONLY
        #endif
    }

    /// Reserves the descriptors 0 to 2 if the program was started without its streams, so that no
    /// other file gets them, and using them remains an error. `fcntl`
    package static func openMissingStreams() {
        for (descriptor, flags) in [
            (standardInput, O_WRONLY), (standardOutput, O_RDONLY), (standardError, O_RDONLY),
        ] where fcntl(descriptor, F_GETFD) < 0 {
            // This gets the lowest free number, which is this one.
            _ = openFile("/dev/null", flags)
        }
    }

    /// Removes a file. `unlink`
    package static func remove(_ path: String) { _ = unlink(path) }

    /// Creates a directory. `mkdir`
    static func createDirectory(_ path: String) throws {
        guard mkdir(path, permissions(0o777)) == 0 else { throw Failure() }
    }

    /// Renames a file, replacing an existing one. `rename`
    package static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else { throw Failure() }
    }

    /// The names in a directory, sorted by their bytes, without `.` and `..`. `readdir`
    package static func names(in path: String) throws -> [String] {
        guard let directory = opendir(path) else { throw Failure() }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The total size of open files that are unlinked, like SQLite's temporary files. `fstat`
    package static func bytesOfNamelessFiles() -> Int {
        (standardError + 1..<descriptorsLookedAt).reduce(0) { sum, descriptor in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_nlink == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return sum }
            return sum + Int(status.st_size)
        }
    }

    /// Far more descriptors than a command opens.
    private static let descriptorsLookedAt: Int32 = 256

    /// The directory for temporary files.
    package static var temporaryDirectory: String { environment("TMPDIR") ?? "/tmp" }
}

extension System {
    /// The offset of the first occurrence of a byte at or after `offset`; nil if there is none.
    /// `memchr`
    static func firstIndex(
        of byte: UInt8, in bytes: UnsafeRawBufferPointer, from offset: Int = 0
    ) -> Int? {
        guard offset < bytes.count, let start = bytes.baseAddress else { return nil }
        guard let found = memchr(start + offset, Int32(byte), bytes.count - offset) else {
            return nil
        }
        return UnsafeRawPointer(found) - start
    }
}

// The C functions for which `System` has methods with the same names. Inside `System`, calling them
// directly would require the platform's module name.

/// `read`
func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

/// `write`
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// `open`
func openFile(_ path: String, _ flags: Int32, _ permissions: mode_t = 0) -> Int32 {
    open(path, flags, permissions)
}

/// `close`
func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

extension System {
    /// Restricts new files to readers of a database: of its directory and of the file in it. `stat`
    static func restrictNewFiles(to directory: String) {
        var (outer, inner) = (stat(), stat())
        guard stat(directory, &outer) == 0, stat("\(directory)/db.sqlite3", &inner) == 0
        else { return }
        // Without search permission for the directory, nothing in it can be read.
        let readers = inner.st_mode & 0o044 & (outer.st_mode & 0o011) << 2
        NewFilePermissions.current.restrict(readers)
    }

    /// Restricts new files to readers of an input file. `stat`
    static func restrictNewFiles(toFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let readers = status.st_mode & 0o044
        NewFilePermissions.current.restrict(readers)
    }

    /// The permissions of a new file or directory, before the umask is applied.
    static func permissions(_ all: mode_t) -> mode_t {
        all & (0o700 | NewFilePermissions.current.others)
    }

    /// Runs `body` with a umask that restricts the files it creates. `umask`
    static func restrictingNewFiles<T>(_ body: () throws -> T) rethrows -> T {
        let before = umask(0o077)
        _ = umask(before | ~permissions(0o777) & 0o077)
        defer { _ = umask(before) }
        return try body()
    }
}

/// The permissions of group and others for files derived from input: users who may not read a
/// database may not read an export of it either.
package final class NewFilePermissions: ContextValue {
    private let bits = Mutex<mode_t>(0o077)

    package init() {}

    fileprivate var others: mode_t { bits.withLock { $0 } }

    /// Restricts the permissions to these readers, with the corresponding write and execute bits.
    fileprivate func restrict(_ readers: mode_t) {
        bits.withLock { $0 &= readers | readers >> 1 | readers >> 2 }
    }
}
