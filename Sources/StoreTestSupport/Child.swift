internal import Foundation
internal import SQLCore
internal import StorePlatform

/// A child process, started with `posix_spawn` and reaped with `waitpid`.
///
/// With Foundation's `Process` a child inherits the blocked signals of the starting thread, so that
/// a shell in it waits forever, and its exit is noticed up to 50 ms late.
package struct Child {
    /// The process could not be started, or a file for it could not be opened.
    package struct Failure: Error {
        package let message: String
    }

    /// The standard input, output and error of a process.
    package struct Streams {
        package let input: Int32
        package let output: Int32
        package let errors: Int32

        package init(input: Int32, output: Int32, errors: Int32) {
            self.input = input
            self.output = output
            self.errors = errors
        }
    }

    package let id: Int32

    /// Processes are started one at a time, so that no child inherits descriptors meant for
    /// another.
    private static let turn = Locked(())

    package init(
        _ command: [String], _ streams: Streams, environment: [String: String] = [:]
    ) throws {
        var all = ProcessInfo.processInfo.environment
        // `swift test` sets it for the output of the tests themselves.
        all["NO_COLOR"] = nil
        all.merge(environment) { _, new in new }
        let arguments = command.map { strdup($0) } + [nil]
        let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var actions = Self.actions(streams)
        // SIGPIPE ends the child, as in a shell.
        var attributes = spawnAttributes(defaultSignals: [SIGPIPE])
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var started: pid_t = 0
        let error = Self.turn.withLock { _ in
            posix_spawn(&started, command[0], &actions, &attributes, arguments, variables)
        }
        guard error == 0 else {
            throw Failure(
                message: "\(command[0]) cannot be started: \(String(cString: strerror(error)))")
        }
        id = started
    }

    /// Waits for its exit; returns its status, or the number of the signal that ended it.
    package func wait() -> (status: Int32, isSignalled: Bool) {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8 & 0xFF, false) : (signal, true)
    }

    /// Both ends of a pipe, closed on exec.
    package static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        turn.withLock { _ in
            _ = Foundation.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        return (ends[0], ends[1])
    }

    /// Opens a file, closed on exec.
    package static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let file = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(message: "\(path): errno \(errno)") }
        return file
    }

    private static func actions(_ streams: Streams) -> SpawnFileActions {
        var actions = emptySpawnFileActions()
        for (target, file) in [streams.input, streams.output, streams.errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
        }
        return actions
    }
}

/// The CPU time in seconds that the thread uses for `body`, however busy the machine is with other
/// tests.
///
/// Time spent waiting, for a lock, the disk or another thread, is not included. A test of
/// complexity compares two sizes instead of a fixed limit:
///
/// ```swift
/// let (few, many) = (Array(0..<1_000).shuffled(), Array(0..<100_000).shuffled())
/// let short = processorSeconds { show(few.sorted()) }
/// let long = processorSeconds { show(many.sorted()) }
/// #expect(long < 1_000 * short)
/// ```
///
/// - Parameter body: the work, which must not move to other threads.
/// - Returns: the CPU time of the calling thread, in seconds.
/// - Throws: errors of `body`.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
}
