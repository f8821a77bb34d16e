internal import Foundation

/// The directory of files written by other implementations, which are not part of this project.
///
/// It is `$STORE_GOLDEN`, or `../shared/golden` beside the package. Tests that need it are skipped
/// where it is absent, and say so.
package enum GoldenFiles {
    /// The directory, nil if there is none.
    package static let path: String? = {
        let environment = ProcessInfo.processInfo.environment["STORE_GOLDEN"]
        let beside = PackageDirectory.url.deletingLastPathComponent()
            .appendingPathComponent("shared/golden")
        let found = [environment, beside.path].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0)
        }
        if found == nil {
            let message = "SKIPPED: no golden files; set STORE_GOLDEN to their directory\n"
            FileHandle.standardError.write(Data(message.utf8))
        }
        return found
    }()

    /// Whether the files are there.
    package static var arePresent: Bool { path != nil }

    /// The path of a file among them; it need not exist.
    package static func file(_ name: String) -> String { "\(path ?? "")/\(name)" }
}
