internal import StorePlatform

/// System calls, each named after its C function.
package enum System {
    /// The error of the last call. `errno`, `strerror`
    package struct Failure: Error {
        let code: Int32

        init(_ code: Int32 = errno) { self.code = code }

        /// The system's error message.
        package var message: String { String(cString: strerror(code)) }
        /// Whether the reading end of the pipe is closed.
        var isClosedPipe: Bool { code == EPIPE }
        /// Whether the file does not exist.
        var isMissing: Bool { code == ENOENT || code == ENOTDIR }
        /// Whether this user lacks the permission.
        var isForbidden: Bool { code == EACCES || code == EPERM }
        /// Whether a FIFO is full.
        var mustWait: Bool { code == EAGAIN }
        /// Whether the file already exists.
        var isExisting: Bool { code == EEXIST }
    }

    package static let standardInput = STDIN_FILENO
    package static let standardOutput = STDOUT_FILENO
    package static let standardError = STDERR_FILENO

    /// The value of an environment variable; nil if it is not set or empty. `getenv`
    package static func environment(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        return text.pointee == 0 ? nil : String(cString: text)
    }

    /// Whether a descriptor is a terminal. `isatty`
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    /// Columns and rows of a terminal; nil if unknown. `ioctl`
    package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes all bytes. `write`
    ///
    /// - Throws: `CancellationError` on Ctrl-C while no process reads from a FIFO that was opened
    ///   here.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws {
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

    /// Reads available bytes, up to the buffer's size; 0 at the end. `read`
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    {
        try uninterrupted { readBytes(descriptor, buffer) }
    }

    /// Repeats a call that was interrupted by a signal. `EINTR`
    private static func uninterrupted(_ call: () -> Int) throws -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw Failure() }
        }
    }

    /// Closes a descriptor. `close`
    package static func close(_ descriptor: Int32) { _ = closeDescriptor(descriptor) }

    /// Closes a written file; some file systems report a full disk only here. `close`
    static func closeWritten(_ descriptor: Int32) throws {
        guard closeDescriptor(descriptor) == 0 else { throw Failure() }
    }

    /// Ends the program immediately, without output. `_exit`
    package static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }

    /// Nanoseconds of a monotonic clock. `clock_gettime`
    package static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Milliseconds since 1970. `clock_gettime`
    package static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension System {
    /// The number of the first argument of this process that is not UTF-8; nil if all of them are.
    ///
    /// `CommandLine.arguments` contains replacement characters for invalid bytes. `argv`
    package static var numberOfInvalidArgument: Int? {
        (1..<max(1, Int(CommandLine.argc))).first { number in
            CommandLine.unsafeArgv[number].map { String(validatingCString: $0) } == .some(nil)
        }
    }

    /// Overwrites the end of an argument of this process, so that process listings do not show it.
    ///
    /// Values already read from `CommandLine.arguments` do not change; the length remains visible.
    /// `argv`
    ///
    /// - Parameters:
    ///   - number: the number of the argument; 0 is the program's name.
    ///   - offset: the number of bytes to leave unchanged.
    package static func overwriteArgument(_ number: Int, from offset: Int) {
        guard number < Int(CommandLine.argc), let text = CommandLine.unsafeArgv[number] else {
            return
        }
        let length = strlen(text)
        guard offset < length else { return }
        memset(text + offset, Int32(UInt8(ascii: "x")), length - offset)
    }
}

extension System {
    /// The maximum length of a typed line.
    private static let maximumLine = 1 << 16

    /// Runs `body` while the terminal of standard input does not echo, except for line endings.
    /// Pending input is dropped. `tcsetattr`
    ///
    /// Ctrl-C ends the program immediately, after the terminal is restored.
    static func withoutEcho<T>(_ body: () throws -> T) throws -> T {
        var found = termios()
        guard tcgetattr(standardInput, &found) == 0 else { throw Failure() }
        let before = found
        let restore: @Sendable () -> Void = {
            var before = before
            _ = tcsetattr(standardInput, TCSADRAIN, &before)
        }
        return try Interruption.ending(after: restore, isNew: false, isInCommand: true) {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            silent.c_lflag |= tcflag_t(ECHONL)
            defer { restore() }
            guard tcsetattr(standardInput, TCSAFLUSH, &silent) == 0 else { throw Failure() }
            return try body()
        }
    }

    /// Reads a line of standard input without its line ending, and no byte of the next one; nil at
    /// the end of input. `read`
    static func typedLine() throws -> [UInt8]? {
        var line: [UInt8] = []
        while line.count < maximumLine {
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) {
                try read(standardInput, into: $0)
            }
            guard count > 0 else { return line.isEmpty ? nil : line }
            guard byte != 0x0A else { return line }
            line.append(byte)
        }
        return line
    }
}
