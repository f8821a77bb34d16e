internal import Foundation

/// The directory of files that other implementations wrote, which are not part of this project.
///
/// It is `$STORE_GOLDEN`, or `../shared/golden` beside the package. If it does not exist, the tests
/// that need it are skipped, with a message.
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

    /// Whether the directory exists.
    package static var arePresent: Bool { path != nil }

    /// The path of a file in the directory; it need not exist.
    package static func file(_ name: String) -> String { "\(path ?? "")/\(name)" }
}
