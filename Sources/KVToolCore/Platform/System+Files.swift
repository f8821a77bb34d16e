internal import StorePlatform
internal import Synchronization

extension System {
    /// What stands at a path. `stat`
    package enum Entry: Equatable {
        case nothing, directory, other
        case file(bytes: Int)

        package var isNothing: Bool { self == .nothing }
    }

    /// How a file is opened.
    package enum OpenMode {
        /// What is there is read.
        case reading
        /// A new file for this user only; an error if there is one.
        case making
        /// A new file that others may read, as far as the mask lets them; an error if there is one.
        case makingShared
        /// A file is made, or the one that is there is emptied.
        case replacing
        /// A file is made for this user only, or what is written is added to the one that is there.
        case appending

        fileprivate var flags: Int32 {
            switch self {
            case .reading: System.readingFlags
            case .making, .makingShared: O_WRONLY | O_CREAT | O_EXCL
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .appending: O_WRONLY | O_CREAT | O_APPEND
            }
        }

        fileprivate var permissions: mode_t {
            self == .replacing || self == .makingShared ? System.permissions(0o644) : 0o600
        }
    }

    /// What stands at a path; links are followed. `stat`
    package static func entry(_ path: String) -> Entry {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(bytes: Int(status.st_size))
        default: return .other
        }
    }

    /// Whether two paths lead to the same thing. `stat`
    package static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev
            && one.st_ino == two.st_ino
    }

    /// Who may read and write a file; nil if there is none, or a link. `lstat`
    static func permissions(_ path: String) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_mode & 0o777
    }

    /// Says who may read and write an open file. `fchmod`
    static func setPermissions(_ permissions: mode_t, of descriptor: Int32) {
        _ = fchmod(descriptor, permissions)
    }

    /// Whether others than its owner may read a file. `stat`
    static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// Opens a file; it is not inherited by other programs. `open`
    ///
    /// Throws `Failure`, and `CancellationError` where Ctrl-C comes before anybody reads from a
    /// FIFO.
    package static func open(_ path: String, _ mode: OpenMode) throws -> Int32 {
        if mode == .replacing || mode == .appending, isFIFO(path) { return try openFIFO(path) }
        let descriptor = openFile(path, mode.flags | O_CLOEXEC, mode.permissions)
        guard descriptor >= 0 else { throw Failure() }
        // A FIFO without a writer was opened without waiting: who reads it waits, until Ctrl-C.
        if mode == .reading { _ = fcntl(descriptor, F_SETFL, O_RDONLY) }
        return descriptor
    }

    /// Elsewhere than on Linux a FIFO without a writer seems to be at its end, and not to wait.
    private static var readingFlags: Int32 {
        #if os(Linux)
            O_RDONLY | O_NONBLOCK
        #else
            O_RDONLY
        #endif
    }

    /// Gives numbers 0 to 2 to no other file, where the program was started without its streams:
    /// to read from or write to them stays an error. `fcntl`
    package static func openMissingStreams() {
        for (descriptor, flags) in [
            (standardInput, O_WRONLY), (standardOutput, O_RDONLY), (standardError, O_RDONLY),
        ] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = openFile("/dev/null", flags)
        }
    }

    /// Removes a file. `unlink`
    package static func remove(_ path: String) { _ = unlink(path) }

    /// Makes a directory. `mkdir`
    static func createDirectory(_ path: String) throws {
        guard mkdir(path, permissions(0o777)) == 0 else { throw Failure() }
    }

    /// Gives a file another name, in place of what has it. `rename`
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

    /// The bytes of files that are open here and have no name any more, as SQLite's temporary ones
    /// have none. `fstat`
    package static func bytesOfNamelessFiles() -> Int {
        (standardError + 1..<descriptorsLookedAt).reduce(0) { sum, descriptor in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_nlink == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return sum }
            return sum + Int(status.st_size)
        }
    }

    /// Far more than a command has open.
    private static let descriptorsLookedAt: Int32 = 256

    /// A directory for what is soon removed.
    package static var temporaryDirectory: String { environment("TMPDIR") ?? "/tmp" }
}

extension System {
    /// Where a byte stands for the first time, from `offset` on; nil if it does not. `memchr`
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

// The calls of C that `System` has methods of the same name for. Inside it those names are its own,
// and C's would have to be written with the name of the platform's library.

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
    /// Lets new files be read only by those who may read a database: its directory and the file in it.
    /// `stat`
    static func restrictNewFiles(to directory: String) {
        var (outer, inner) = (stat(), stat())
        guard stat(directory, &outer) == 0, stat("\(directory)/db.sqlite3", &inner) == 0 else { return }
        // Who may not search the directory reads nothing in it.
        let readers = inner.st_mode & 0o044 & (outer.st_mode & 0o011) << 2
        NewFilePermissions.current.restrict(readers)
    }

    /// Lets new files be read only by those who may read a file that this process reads. `stat`
    static func restrictNewFiles(toFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let readers = status.st_mode & 0o044
        NewFilePermissions.current.restrict(readers)
    }

    /// The permissions of a new file or directory, of which the process's mask takes away more.
    static func permissions(_ all: mode_t) -> mode_t {
        all & (0o700 | NewFilePermissions.current.others)
    }

    /// Runs `body`, and lets what it makes be read by no more than those. `umask`
    static func restrictingNewFiles<T>(_ body: () throws -> T) rethrows -> T {
        let before = umask(0o077)
        _ = umask(before | ~permissions(0o777) & 0o077)
        defer { _ = umask(before) }
        return try body()
    }
}

/// What others than the owner may do with files that are made of what a command reads; those who
/// may not read a database may not read an export of it either.
package final class NewFilePermissions: ContextValue {
    private let bits = Mutex<mode_t>(0o077)

    package init() {}

    fileprivate var others: mode_t { bits.withLock { $0 } }

    /// Leaves no more than these may read, with what else goes with reading.
    fileprivate func restrict(_ readers: mode_t) {
        bits.withLock { $0 &= readers | readers >> 1 | readers >> 2 }
    }
}
