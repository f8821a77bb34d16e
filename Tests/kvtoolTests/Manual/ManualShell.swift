import Foundation
import StoreTestSupport

/// Runs the commands of a page, one after the other, in a folder of its own.
struct ManualShell {
    /// What a command wrote.
    struct Result {
        let step: ManualPage.Step
        /// Standard output and standard error as they came, and the status.
        let lines: [String]
        let written: Data
        let status: Int32
    }

    private let folder: TemporaryFolder
    private let script: String

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder("bin"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(
            atPath: folder("data"), withIntermediateDirectories: false)
        let tool = URL(filePath: Kvtool.path).standardizedFileURL.path
        try FileManager.default.createSymbolicLink(
            atPath: folder("bin/kvtool"), withDestinationPath: tool)
        script = "PATH='\(folder("bin"))':\"$PATH\"; cd '\(folder("data"))' || exit; "
    }

    /// Runs a step; its two streams are one, as on a terminal.
    func run(_ step: ManualPage.Step) throws -> Result {
        let outcome = try Kvtool.shell(
            script + "{ \(step.command)\n} 2>&1", environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC"])
        // `/data` is shorter to read, and always the same.
        let text = outcome.stdout.replacing(folder("data"), with: "/data")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        if outcome.status != 0 { lines.append("(status \(outcome.status))") }
        return Result(
            step: step, lines: lines, written: Data(text.utf8), status: outcome.status)
    }
}
