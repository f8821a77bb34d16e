import Foundation
import ProjectTestSupport
import StoreTestSupport

/// SQLCipher 4 itself: `Scripts/sqlcipher` in the environment that `Scripts/install-sqlcipher`
/// makes.
enum SQLCipher {
    private static let root = PackageDirectory.url.path(percentEncoded: false)
    private static let python = root + "/.build/sqlcipher/bin/python"

    /// Whether SQLCipher is installed; prints a note on standard error if not.
    static let isInstalled: Bool = {
        if FileManager.default.isExecutableFile(atPath: python) {
            let version = (try? run(":memory:", "x", "PRAGMA cipher_version")) ?? "?"
            FileHandle.standardError.write(Data("SQLCipher \(version) is compared with\n".utf8))
            return true
        }
        FileHandle.standardError.write(
            Data("SKIPPED: there is no SQLCipher; run Scripts/install-sqlcipher\n".utf8))
        return false
    }()

    /// Runs statements; returns the rows, columns with `|` between them, or the error.
    static func run(
        _ path: String, _ key: String, before: [String] = [], crash: Bool = false, _ sql: String...
    ) throws -> String {
        let command = [python, root + "/Scripts/sqlcipher", path, key]
        let options = before.flatMap { ["--before", $0] } + (crash ? ["--crash"] : [])
        let result = try ChildProcess.run(command + options + sql)
        return result.output.trimmingCharacters(in: .newlines)
    }
}
