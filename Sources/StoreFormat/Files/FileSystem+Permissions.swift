package import StorePlatform

/// Who may read and write a file or folder: the nine bits of `chmod`.
package struct FilePermissions: Sendable {
    let bits: mode_t

    package init(bits: mode_t) { self.bits = bits & 0o777 }

    init(_ status: stat) { self.init(bits: status.st_mode) }

    /// Those of the file or folder at a path, links followed; nil if there is none. `stat`
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// A folder for everybody whom the process's mask does not exclude.
    package static let anyFolder = FilePermissions(bits: 0o777)
    /// A file for everybody whom the process's mask does not exclude.
    package static let anyFile = FilePermissions(bits: 0o666)

    /// These, for a folder that is to be filled by its owner.
    package var forNewFolder: FilePermissions { FilePermissions(bits: bits | 0o700) }
    /// These, for a file that is to be written by its owner.
    package var forNewFile: FilePermissions { FilePermissions(bits: bits & 0o666 | 0o600) }
}
