internal import DocumentStore
package import KVToolCore

/// Runs command lines of kvtool in the current `CommandContext`.
package typealias CommandLineRunner = @Sendable ([String]) async -> ExitStatus

/// A command that runs for a request.
struct InspectorCommand: Sendable {
    let output: CommandOutput
    let errors = CommandErrors()
    private let task: Task<ExitStatus, Never>

    /// Starts it in a context of its own, on a thread of its own.
    init(
        _ arguments: [String], in environment: [any ContextValue], isReadOnly: Bool,
        stallSeconds: Int, _ run: @escaping CommandLineRunner
    ) {
        let output = CommandOutput(stallSeconds: stallSeconds)
        self.output = output
        let context = CommandContext(
            [StandardOutput(output), StandardError(errors), WriteProtection(isReadOnly)]
                + environment)
        task = Task(executorPreference: DedicatedThread()) { [output] in
            let status = await context.run { await run(arguments) }
            output.end()
            return status
        }
    }

    /// Ends it: what it would write now is lost.
    func cancel() {
        task.cancel()
        output.close()
    }

    /// The response, once there is output or the command has ended.
    func response(type: String) async -> HTTPResponse {
        guard let first = await output.next() else { return await ended([], type) }
        // A short output is written at the end, and an error after it.
        guard let second = await output.next() else { return await ended(first, type) }
        output.putBack(second)
        output.putBack(first)
        return HTTPResponse(type: type, .output(output))
    }

    private func ended(_ first: [UInt8], _ type: String) async -> HTTPResponse {
        let status = await task.value
        if status != .success, let message = errors.error {
            return HTTPResponse(HTTPResponse.status(of: status), .bytes(message))
        }
        let rest = output.whole() ?? []
        guard status == .success || !first.isEmpty else {
            // Commands whose output is not JSON write errors as text.
            let message = errors.message ?? "the command failed"
            return .error(HTTPResponse.status(of: status), message, exit: status)
        }
        return HTTPResponse(type: type, .bytes(first + rest))
    }
}
