internal import DocumentStore
package import KVToolCore

/// Runs command lines of kvtool in the current `CommandContext`.
package typealias CommandLineRunner = @Sendable ([String]) async -> ExitStatus

/// A command that runs for a request.
struct InspectorCommand: Sendable {
    let output = CommandOutput()
    let errors = CommandOutput()
    private let task: Task<ExitStatus, Never>

    /// Starts it in a context of its own, on a thread of its own.
    init(
        _ arguments: [String], keys: DatabaseKeys, isReadOnly: Bool,
        _ run: @escaping CommandLineRunner
    ) {
        let context = CommandContext(
            StandardOutput(output), StandardError(errors), keys, WriteProtection(isReadOnly))
        task = Task(executorPreference: CommandThread()) { [output, errors] in
            let status = await context.run { await run(arguments) }
            output.end()
            errors.end()
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
        if status != .success, let message = errors.whole().flatMap(Self.error) {
            return HTTPResponse(HTTPResponse.status(of: status), .bytes(message))
        }
        let rest = output.whole() ?? []
        guard status == .success || !first.isEmpty else {
            return .error(HTTPResponse.status(of: status), "the command failed", exit: status)
        }
        return HTTPResponse(type: type, .bytes(first + rest))
    }

    /// The last line that is an error, if there is one.
    private static func error(_ text: [UInt8]) -> [UInt8]? {
        let start = Array("{\"error\":".utf8)
        return text.split(separator: 0x0A).last { $0.starts(with: start) }.map { Array($0) }
    }
}
