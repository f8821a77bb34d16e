internal import Foundation

/// The folder of files written by other implementations, which are not part of this project.
///
/// It is `$STORE_GOLDEN`, or `../shared/golden` beside the package. Tests that need it are skipped
/// where it is absent, and say so.
public enum GoldenFiles {
    /// The folder, nil if there is none.
    public static let path: String? = {
        let environment = ProcessInfo.processInfo.environment["STORE_GOLDEN"]
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/golden")
        let found = [environment, beside.path].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0)
        }
        if found == nil {
            let message = "SKIPPED: no golden files; set STORE_GOLDEN to their folder\n"
            FileHandle.standardError.write(Data(message.utf8))
        }
        return found
    }()

    /// Whether the files are there.
    public static var arePresent: Bool { path != nil }

    /// The path of a file among them; it need not exist.
    public static func file(_ name: String) -> String { "\(path ?? "")/\(name)" }
}

/// What whoever runs the tests says by variables of the environment, such as `STORE_SEED`.
package enum TestEnvironment {
    /// A number, `standard` if there is none of this name.
    package static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}
