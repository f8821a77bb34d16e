#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Calls of the operating system, each named after the C function that it stands for.
enum System {
    /// What the last call has met. `errno`, `strerror`
    struct Failure: Error {
        let code: Int32

        init(_ code: Int32 = errno) { self.code = code }

        /// The system's words for it.
        var message: String { String(cString: strerror(code)) }
        /// Whether nobody reads the pipe any more.
        var isClosedPipe: Bool { code == EPIPE }
        /// Whether there is no such file.
        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
        /// Whether this user may not do it.
        var isForbidden: Bool { code == EACCES || code == EPERM }
        /// Whether a FIFO is full.
        var mustWait: Bool { code == EAGAIN }
        /// Whether there is something already.
        var isExisting: Bool { code == EEXIST }
    }

    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// The value of a variable, nil for none and for an empty one. `getenv`
    static func environment(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        return text.pointee == 0 ? nil : String(cString: text)
    }

    /// Whether a person sits at the other end. `isatty`
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    /// Columns and rows of a terminal, nil if it does not say. `ioctl`
    static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes all bytes. `write`
    ///
    /// Throws `CancellationError` where Ctrl-C comes while nobody reads from a FIFO that was opened
    /// here.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            do {
                let count = try uninterrupted { writeBytes(descriptor, piece) }
                rest = rest.dropFirst(count)
            } catch let failure as Failure where failure.mustWait {
                try waitUntilWritable(descriptor)
            }
        }
    }

    /// Reads what there is, up to the buffer's size; 0 at the end. `read`
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    {
        try uninterrupted { readBytes(descriptor, buffer) }
    }

    /// Calls again what a signal has ended before it did anything. `EINTR`
    private static func uninterrupted(_ call: () -> Int) throws -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure() }
        }
    }

    /// Closes a descriptor. `close`
    static func close(_ descriptor: Int32) { _ = closeDescriptor(descriptor) }

    /// Closes a file that was written: some file systems say only now that a disk is full. `close`
    static func closeWritten(_ descriptor: Int32) throws {
        guard closeDescriptor(descriptor) == 0 else { throw Failure() }
    }

    /// Ends the program at once, without a word. `_exit`
    static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }

    /// Nanoseconds of a clock that only goes forward. `clock_gettime`
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Milliseconds since 1970. `clock_gettime`
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
