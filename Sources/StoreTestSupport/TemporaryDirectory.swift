internal import Foundation

/// A temporary directory of a test, removed with all its files when the value is released.
///
/// ```swift
/// let directory = try TemporaryDirectory()
/// let file = try DataFile(
///     path: directory("people.cblite2"), options: DataFileOptions(access: .create))
/// ```
///
/// Each value has a directory of its own, so tests can run in parallel. Keep the value as long as
/// the files are used: one that is assigned to `_` is removed at once. For a single data file use
/// ``TemporaryStore``.
public final class TemporaryDirectory: Sendable {
    /// The path, without a trailing slash, in the system's directory for temporary files.
    public let path: String

    /// Creates an empty directory with a unique name.
    ///
    /// - Throws: an error of Foundation if it cannot be created.
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

    /// The path of a file in it; the file need not exist.
    ///
    /// - Parameter name: the name of the file, or a relative path.
    /// - Returns: the path, below ``path``.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Copies a file or directory into it, writable.
    ///
    /// Files of a repository, such as golden files, may be read-only; the copy can be opened for
    /// writing.
    ///
    /// ```swift
    /// let directory = try TemporaryDirectory()
    /// let copy = try directory.copy(of: "Fixtures/people.cblite2")
    /// let file = try DataFile(path: copy, options: DataFileOptions(access: .readWrite))
    /// ```
    ///
    /// - Parameter source: the path of the file or directory.
    /// - Returns: the copy's path, which has the same name.
    /// - Throws: an error of Foundation if the source does not exist or cannot be copied.
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
