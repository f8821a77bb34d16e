internal import StorePlatform

extension System {
    /// Makes standard output go elsewhere; returns a descriptor of where it went. `dup`, `dup2`
    package static func redirectStandardOutput(to descriptor: Int32) throws -> Int32 {
        let before = fcntl(standardOutput, F_DUPFD_CLOEXEC, 3)
        guard before >= 0 else { throw Failure() }
        guard dup2(descriptor, standardOutput) >= 0 else {
            defer { close(before) }
            throw Failure()
        }
        return before
    }

    /// Makes standard output go where it went. `dup2`
    package static func restoreStandardOutput(_ before: Int32) {
        _ = dup2(before, standardOutput)
        close(before)
    }

    /// Lets only this user read and write a file. `chmod`
    package static func makePrivate(_ path: String) throws {
        guard chmod(path, 0o600) == 0 else { throw Failure() }
    }

    /// Whether lines wait at a terminal that nobody has read. `poll`
    static func hasInput(_ descriptor: Int32) -> Bool {
        isTerminal(descriptor) && isReadable(descriptor, withinMilliseconds: 0)
    }

    /// Whether there is something to read, or the end, within so many milliseconds. `poll`
    static func isReadable(_ descriptor: Int32, withinMilliseconds time: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // What cannot be waited for is read at once, which says what is wrong with it.
        return poll(&waiting, 1, time) != 0
    }

    /// How often a task that waits for others looks whether it is cancelled.
    static let patienceMilliseconds: Int32 = 100

    /// Waits until bytes can be written. `poll`
    ///
    /// Throws `CancellationError` where Ctrl-C comes before that.
    static func waitUntilWritable(_ descriptor: Int32) throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&waiting, 1, patienceMilliseconds) == 0 { try Interruption.check() }
    }

    /// Opens a FIFO for writing once somebody reads from it. It does not block: `write` waits.
    ///
    /// Throws `CancellationError` where Ctrl-C comes before that.
    static func openFIFO(_ path: String) throws -> Int32 {
        while true {
            let descriptor = openFile(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            guard errno == ENXIO else { throw Failure() }
            _ = poll(nil, 0, patienceMilliseconds)
            try Interruption.check()
        }
    }

    /// Whether a FIFO stands at a path. `stat`
    package static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
