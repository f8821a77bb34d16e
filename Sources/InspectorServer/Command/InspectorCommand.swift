internal import DocumentStore
package import KVToolCore

/// Runs command lines of kvtool in the current `CommandContext`.
package typealias CommandLineRunner = @Sendable ([String]) async -> ExitStatus

/// A command that runs for a request.
struct InspectorCommand: Sendable {
    let output: CommandOutput
    let errors = CommandErrors()
    private let line: RoutedCommand
    private let task: Task<ExitStatus, Never>

    /// What is kept of an answer until it is sent: a command that fails later breaks it off.
    private static let keptBytes = 1 << 20

    /// Starts it in a context of its own, on a thread of its own.
    ///
    /// - Parameter environment: what it needs to open its database.
    init(
        _ line: RoutedCommand, in environment: [any ContextValue], stallSeconds: Int,
        _ run: @escaping CommandLineRunner
    ) {
        let output = CommandOutput(stallSeconds: stallSeconds)
        self.output = output
        self.line = line
        let context = CommandContext(
            [StandardOutput(output), StandardError(errors), WriteProtection(!line.isChange)]
                + environment)
        task = Task(executorPreference: DedicatedThread()) {
            let status = await context.run { await run(line.arguments) }
            output.end(isComplete: status == .success)
            return status
        }
    }

    /// Interrupts it: what it would write now is lost.
    private func cancel() {
        task.cancel()
        output.close()
    }

    /// Interrupts it unless it has ended, and waits until it has: then it uses the database no
    /// more.
    func end() async {
        cancel()
        _ = await task.value
    }

    /// The response, once there is much output or the command has ended.
    func response() async -> HTTPResponse {
        if line.isEvents { return HTTPResponse(type: line.type, .events(output, errors)) }
        return await withTaskCancellationHandler {
            var first: [UInt8] = []
            while first.count < Self.keptBytes {
                guard let part = await output.next() else { return await ended(first) }
                first += part
            }
            output.putBack(first)
            return HTTPResponse(type: line.type, .output(output))
        } onCancel: {
            cancel()
        }
    }

    private func ended(_ bytes: [UInt8]) async -> HTTPResponse {
        let status = await task.value
        if status != .success, let message = errors.message {
            guard line.mayBePartial, [.damaged, .partial].contains(status), !bytes.isEmpty else {
                return .error(HTTPResponse.status(of: status), message, exit: status)
            }
            var response = HTTPResponse(type: line.type, .bytes(bytes))
            response.warn(message)
            return response
        }
        guard status == .success || !bytes.isEmpty else {
            return .error(HTTPResponse.status(of: status), "the command failed", exit: status)
        }
        return HTTPResponse(type: line.type, .bytes(bytes))
    }
}
