internal import StorePlatform

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    package import Foundation
#endif

/// A child process: a pager or an editor.
package struct OtherProgram {
    /// Environment variables that are not inherited, because no pager or editor needs a key or a
    /// password.
    package static let secretVariables: Set = ["KVTOOL_KEY", "KVTOOL_NEW_KEY", "KVTOOL_PASSWORD"]

    private let id: pid_t

    /// Runs a shell command with the streams of this process, except for its input.
    ///
    /// - Parameters:
    ///   - command: the command, as in `less -FRX`.
    ///   - arguments: arguments that are appended to the command without shell expansion.
    ///   - input: its standard input; nil for that of this process.
    ///   - variables: environment variables that override those of this process.
    package init(
        shell command: String, _ arguments: [String] = [], input: Int32? = nil,
        variables: [String: String] = [:]
    ) throws {
        var actions = emptySpawnFileActions()
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        // The child must not inherit ignored or blocked signals.
        var attributes = spawnAttributes(
            defaultSignals: Interruption.signals + [SIGPIPE, SIGXFSZ])
        defer { posix_spawnattr_destroy(&attributes) }
        let words = ["/bin/sh", "-c", command + " \"$@\"", "sh"] + arguments
        var id = pid_t()
        let status = Self.withCStrings(words) { words in
            Self.withCStrings(Self.environment(with: variables)) { environment in
                posix_spawn(&id, "/bin/sh", &actions, &attributes, words, environment)
            }
        }
        guard status == 0 else { throw System.Failure(status) }
        self.id = id
    }

    /// Waits for its end; returns its exit status, or 128 plus the number of the signal that ended
    /// it.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    private static func environment(with variables: [String: String]) -> [String] {
        ProcessInfo.processInfo.environment.filter { !secretVariables.contains($0.key) }
            .merging(variables) { _, new in new }
            .map { "\($0.key)=\($0.value)" }
    }

    private static func withCStrings<T>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// A pipe whose ends are not inherited by child processes unless passed explicitly.
package struct ProgramPipe {
    package let reading: Int32
    package let writing: Int32

    /// `pipe`
    package init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw System.Failure() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
