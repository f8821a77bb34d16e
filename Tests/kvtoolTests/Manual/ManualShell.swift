import Foundation
import ProjectTestSupport
import StoreTestSupport

/// Runs the commands of a page, one after the other, in a directory of its own.
struct ManualShell {
    /// What a command wrote.
    struct Result {
        let step: ManualPage.Step
        /// Standard output and standard error as they came, and the status.
        let lines: [String]
        let written: Data
        let status: Int32
    }

    private let directory: TemporaryDirectory
    private let script: String
    private let environment: [String: String]

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory("bin"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(
            atPath: directory("data"), withIntermediateDirectories: false)
        let tool = URL(filePath: Kvtool.path).standardizedFileURL.path
        try FileManager.default.createSymbolicLink(
            atPath: directory("bin/kvtool"), withDestinationPath: tool)
        let programs = PostgresServer.programs ?? ""
        // The pages name a server of this machine, with an empty database.
        let server = PostgresServer.shared
        _ = try server?.newDatabase("store")
        try server?.sql("DROP DATABASE IF EXISTS notes WITH (FORCE)")
        var variables = [
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "EXAMPLES": PackageDirectory.url.path + "/Examples",
        ]
        variables.merge(server?.environment ?? [:]) { _, new in new }
        environment = variables
        let paths = "'\(directory("bin"))':'\(programs)':\"$PATH\""
        script = "PATH=\(paths); cd '\(directory("data"))' || exit; "
    }

    /// Runs a step; its two streams are one, as on a terminal.
    func run(_ step: ManualPage.Step) throws -> Result {
        let outcome = try Kvtool.shell(
            script + "{ \(step.command)\n} 2>&1", environment: environment)
        // `/data` is shorter to read, and always the same.
        let text = outcome.stdout.replacing(directory("data"), with: "/data")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        if outcome.status != 0 { lines.append("(status \(outcome.status))") }
        return Result(
            step: step, lines: lines, written: Data(text.utf8), status: outcome.status)
    }
}
