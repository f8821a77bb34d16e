internal import StorePlatform

/// Copies a directory with its files and permissions, and syncs the copy. `openat`
///
/// Skips files that are removed while it runs.
package struct TreeCopy {
    /// Whether to skip the file of this name at the top level.
    package let skips: (String) -> Bool
    /// Whether the name at the top level is reserved for a regular file.
    package let isFileName: (String) -> Bool
    /// Called before each entry.
    package let check: () throws -> Void

    package init(
        skips: @escaping (String) -> Bool, isFileName: @escaping (String) -> Bool,
        check: @escaping () throws -> Void
    ) {
        self.skips = skips
        self.isFileName = isFileName
        self.check = check
    }

    package typealias Failed = (StoreError) throws -> Void

    /// - Parameter failed: called with the reason why an entry cannot be copied, for example
    ///   because it is a link; an error that it throws ends the copy.
    package func run(_ source: String, to target: String, failed: Failed) throws {
        try copyDirectory(source, to: target, depth: 0, failed)
    }

    private func copyDirectory(
        _ source: String, to target: String, depth: Int, _ failed: Failed
    ) throws {
        guard depth < FileSystem.deepestTree else {
            throw StoreError(.unsupported, "\(source) is nested too deeply to be copied")
        }
        let descriptor = open(source, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileSystem.failure("\(source) cannot be opened to be copied")
        }
        var own = stat()
        let permissions = fstat(descriptor, &own) == 0 ? FilePermissions(own) : .anyDirectory
        do {
            try FileSystem.requireNewDirectory(target, permissions.forNewDirectory)
        } catch {
            close(descriptor)
            throw error
        }
        try FileSystem.withEntries(of: descriptor, source) { name, directory in
            try check()
            do {
                try copyEntry(name, in: directory, source, to: target, depth: depth, failed)
            } catch let error as StoreError {
                try failed(error)
            }
        }
        try FileSystem.syncDirectory(target)
    }

    private func copyEntry(
        _ name: String, in directory: Int32, _ source: String, to targetDirectory: String,
        depth: Int,
        _ failed: Failed
    ) throws {
        let (path, target) = ("\(source)/\(name)", "\(targetDirectory)/\(name)")
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        switch FileSystem.entry(status) {
        case .nothing: return
        case .file where depth == 0 && skips(name): return
        case .file: try FileSystem.copyFile(name, in: directory, path, to: target)
        case .directory where depth == 0 && isFileName(name):
            throw StoreError(
                .unsupported,
                "\(path) is a directory, which is not copied; put the file itself there")
        case .directory: try copyDirectory(path, to: target, depth: depth + 1, failed)
        case .link, .other:
            throw StoreError(
                .unsupported,
                "\(path) is a link or device, which is not copied; put the file itself there")
        }
    }
}
