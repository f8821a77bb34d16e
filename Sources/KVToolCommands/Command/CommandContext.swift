package import KVToolCore

/// What a command works with: where it writes, how, the keys that it was given, the databases that
/// it has open, and the shell that runs it.
///
/// Commands of several contexts may run at once in a process, each with its own streams; signals
/// alone are the process's (`Interruption`).
///
///     let context = CommandContext(output: descriptor, errors: other)
///     let status = await context.run(["ls", path])
package struct CommandContext: Sendable {
    private let core: CoreContext
    private let shell: OpenShell

    /// That of the process, which holds on all its threads.
    package static let process = CommandContext(core: .current, shell: .current)

    private init(core: CoreContext, shell: OpenShell) {
        (self.core, self.shell) = (core, shell)
    }

    /// - Parameters:
    ///   - output: the descriptor of what it writes.
    ///   - errors: the descriptor of its messages.
    package init(output: Int32, errors: Int32) {
        self.init(core: CoreContext(output: output, errors: errors), shell: OpenShell())
    }

    /// Runs a command line without the program's name; returns its exit status.
    package func run(_ arguments: [String]) async -> ExitStatus {
        await core.run {
            await OpenShell.$current.withValue(shell) { await CommandRunner.run(arguments) }
        }
    }
}
