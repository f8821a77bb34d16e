#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who may read and write a file or folder: the nine bits of `chmod`.
struct FilePermissions: Sendable {
    let bits: mode_t

    init(bits: mode_t) { self.bits = bits & 0o777 }

    init(_ status: stat) { self.init(bits: status.st_mode) }

    /// Those of the file or folder at a path, links followed; nil if there is none. `stat`
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// A folder for everybody whom the process's mask does not exclude.
    static let anyFolder = FilePermissions(bits: 0o777)
    /// A file for everybody whom the process's mask does not exclude.
    static let anyFile = FilePermissions(bits: 0o666)

    /// These, for a folder that is to be filled by its owner.
    var forNewFolder: FilePermissions { FilePermissions(bits: bits | 0o700) }
    /// These, for a file that is to be written by its owner.
    var forNewFile: FilePermissions { FilePermissions(bits: bits & 0o666 | 0o600) }
}
