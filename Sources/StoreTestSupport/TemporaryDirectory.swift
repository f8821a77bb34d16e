internal import Foundation

/// A temporary directory of a test, removed with all its files when the value is released.
public final class TemporaryDirectory: Sendable {
    /// The path, without a trailing slash.
    public let path: String

    /// Creates an empty directory.
    public init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("store-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Copies a file or directory into it, writable; returns the copy's path.
    public func copy(of source: String) throws -> String {
        let target = self((source as NSString).lastPathComponent)
        try FileManager.default.copyItem(atPath: source, toPath: target)
        let parts = FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String }
        for part in [target] + (parts ?? []).map({ "\(target)/\($0)" }) {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: part, isDirectory: &isDirectory)
            try FileManager.default.setAttributes(
                [.posixPermissions: isDirectory.boolValue ? 0o755 : 0o644], ofItemAtPath: part)
        }
        return target
    }
}
