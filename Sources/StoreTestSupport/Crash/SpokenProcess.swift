internal import Foundation
internal import SQLCore

#if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
#else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
#endif

/// A process whose standard output is heard line by line. `posix_spawn`, `poll`, `waitpid`
///
/// Foundation's `Process` notices the end of a child up to 50 ms late.
final class SpokenProcess {
    private let id: pid_t
    private let output: Int32
    private var heard: [UInt8] = []
    private var status: Int32?

    /// One start at a time, so that no child inherits what was opened for another one.
    private static let turn = Locked(())

    init(_ command: [String]) throws {
        let arguments = command.map { strdup($0) } + [nil]
        // A trap is seen by its signal; to print where it was takes a quarter of a second.
        let environment = ProcessInfo.processInfo.environment.merging(
            ["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var ends: [Int32] = [-1, -1]
        var started: pid_t = 0
        let error = Self.turn.withLock { _ in
            guard pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            var actions = Self.actions(output: ends[1])
            var attributes = Self.attributes()
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
                close(ends[1])
            }
            return posix_spawn(&started, command[0], &actions, &attributes, arguments, variables)
        }
        guard error == 0 else {
            if ends[0] >= 0 { close(ends[0]) }
            throw CrashHarness.Failure(
                description: "\(command[0]) cannot be started: \(String(cString: strerror(error)))")
        }
        id = started
        output = ends[0]
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        end()
        close(output)
    }

    /// All whole lines that it has said.
    var lines: [String] {
        guard let end = heard.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return heard[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits until it says something; false if the time is over or nothing more can come.
    ///
    /// Throws if it says nothing for ten seconds.
    func listen(until deadline: ContinuousClock.Instant?) throws -> Bool {
        let left = deadline.map { $0 - ContinuousClock.now } ?? .seconds(10)
        let (seconds, fraction) = left.components
        let milliseconds = seconds * 1000 + fraction / 1_000_000_000_000_000
        if deadline != nil, milliseconds <= 0 { return false }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, Int32(clamping: milliseconds))
        if count < 0, errno == EINTR { return true }
        guard count > 0 else {
            if deadline != nil { return false }
            throw CrashHarness.Failure(description: "the program says nothing for ten seconds")
        }
        return hear()
    }

    /// Kills it if it still runs, and hears what it has said before; returns the status of
    /// `waitpid`.
    @discardableResult
    func end() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        kill(id, SIGKILL)
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        self.status = status
        while hear() {}
        return status
    }

    /// Takes what is in the pipe; false if there is nothing.
    private func hear() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &buffer, buffer.count)
        if count > 0 { heard += buffer[..<count] }
        return count > 0
    }

    private static func actions(output: Int32) -> FileActions {
        #if canImport(Darwin)
            var actions: FileActions = nil
        #else
            var actions = FileActions()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        return actions
    }

    /// No signal is blocked in the child, whatever its parent's thread blocks.
    private static func attributes() -> Attributes {
        #if canImport(Darwin)
            var attributes: Attributes = nil
        #else
            var attributes = Attributes()
        #endif
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        return attributes
    }
}
