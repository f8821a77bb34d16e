internal import Foundation
internal import SQLCore
internal import StorePlatform

/// The default file system of the process while a `FaultVFS` watches a directory: it opens the
/// files below that directory with that VFS, and all others with the previous default.
final class FaultRouter: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: all of its state is protected by the lock.

    private struct Watchers {
        var router: FaultRouter?
        var byDirectory: [(directory: String, vfs: FaultVFS)] = []
        /// The name of the previous default file system.
        var former = ""
    }

    private static let watchers = Locked(Watchers())

    static func add(_ vfs: FaultVFS, directory: String) throws {
        let directory = resolved(directory) + "/"
        try watchers.withLock { watchers in
            let router = try watchers.router ?? FaultRouter(name: "fault-router", over: "unix")
            if watchers.byDirectory.isEmpty {
                watchers.former = defaultName
                try router.register(asDefault: true)
            }
            watchers.router = router
            watchers.byDirectory.append((directory, vfs))
        }
    }

    static func remove(_ vfs: FaultVFS) {
        watchers.withLock { watchers in
            guard !watchers.byDirectory.isEmpty else { return }
            watchers.byDirectory.removeAll { $0.vfs === vfs }
            // It stays registered: other connections were opened with it in the meantime, and look
            // it up by its name again when they VACUUM.
            if watchers.byDirectory.isEmpty { makeDefault(watchers.former) }
        }
    }

    private static func watcher(of path: String?) -> FaultVFS? {
        guard let path else { return nil }
        return watchers.withLock { watchers in
            watchers.byDirectory.first { path.utf8.starts(with: $0.directory.utf8) }?.vfs
        }
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        try Self.watcher(of: opening.path)?.makeFile(opening) ?? SQLFile(opening)
    }

    override func delete(path: UnsafePointer<CChar>, syncDirectory: Int32) -> SQLResultCode {
        let name = String(cString: path)
        guard let vfs = Self.watcher(of: name) else {
            return super.delete(path: path, syncDirectory: syncDirectory)
        }
        return vfs.delete(name, syncDirectory: syncDirectory) {
            super.delete(path: path, syncDirectory: $0)
        }
    }

    override func access(
        path: UnsafePointer<CChar>, flags: Int32, _ result: inout Int32
    ) -> SQLResultCode {
        let name = String(cString: path)
        return Self.watcher(of: name)?.failure(of: .access, FaultLocation(path: name))?.code
            ?? super.access(path: path, flags: flags, &result)
    }

    /// A path without symbolic links, like the full paths that SQLite uses.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

extension FaultVFS {
    /// Routes every connection of this process that does not specify a VFS to this one if its file
    /// is below `directory`, until `unwatch()`.
    ///
    /// For code that opens its files itself, such as `DataFile`. Other files are not affected, so
    /// that tests can run in parallel, except that they cannot be memory-mapped in the meantime.
    ///
    /// ```swift
    /// let vfs = try FaultVFS.registered()
    /// try vfs.watch(testDirectory.path)
    /// defer { vfs.unwatch() }
    /// let file = try DataFile(
    ///     path: testDirectory("a.cblite2"), options: DataFileOptions(access: .create))
    /// vfs.fail(.write, with: .full)
    /// #expect(throws: StoreError.self) { try file.write { try people.create(in: $0) } }
    /// ```
    ///
    /// - Parameter directory: the directory, which must exist. Symbolic links in its path are
    ///   resolved.
    /// - Throws: an `SQLError` if SQLite does not accept the file system as its default.
    public func watch(_ directory: String) throws {
        try FaultRouter.add(self, directory: directory)
    }

    /// Ends ``watch(_:)``; open files stay with this VFS.
    ///
    /// Without a watched directory it has no effect.
    public func unwatch() {
        FaultRouter.remove(self)
    }
}
