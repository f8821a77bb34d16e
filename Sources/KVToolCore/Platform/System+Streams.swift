internal import StorePlatform

extension System {
    /// Redirects standard output; returns a descriptor of the previous destination. `dup`, `dup2`
    package static func redirectStandardOutput(to descriptor: Int32) throws -> Int32 {
        let before = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
        guard before >= 0 else { throw Failure() }
        guard dup2(descriptor, standardOutput) >= 0 else {
            defer { close(before) }
            throw Failure()
        }
        return before
    }

    /// Restores the previous destination of standard output. `dup2`
    package static func restoreStandardOutput(_ before: Int32) {
        _ = dup2(before, standardOutput)
        close(before)
    }

    /// Makes a file readable and writable only by this user. `chmod`
    package static func makePrivate(_ path: String) throws {
        guard chmod(path, 0o600) == 0 else { throw Failure() }
    }

    /// Whether a terminal has unread input. `poll`
    static func hasInput(_ descriptor: Int32) -> Bool {
        isTerminal(descriptor) && isReadable(descriptor, withinMilliseconds: 0)
    }

    /// Waits at most this time for input or the end of input. `poll`
    static func isReadable(_ descriptor: Int32, withinMilliseconds time: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // On an error, reading returns immediately and reports it.
        return poll(&waiting, 1, time) != 0
    }

    /// The interval in which a waiting task checks for cancellation.
    static let patienceMilliseconds: Int32 = 100

    /// Waits until bytes can be written. `poll`
    ///
    /// - Throws: `CancellationError` on Ctrl-C while waiting.
    static func waitUntilWritable(_ descriptor: Int32) throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&waiting, 1, patienceMilliseconds) == 0 { try Interruption.check() }
    }

    /// Opens a FIFO for writing once another process reads from it. It does not block: `write`
    /// waits.
    ///
    /// - Throws: `CancellationError` on Ctrl-C while waiting.
    static func openFIFO(_ path: String) throws -> Int32 {
        while true {
            let descriptor = openFile(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            guard errno == ENXIO else { throw Failure() }
            _ = poll(nil, 0, patienceMilliseconds)
            try Interruption.check()
        }
    }

    /// Whether the file at a path is a FIFO. `stat`
    package static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
