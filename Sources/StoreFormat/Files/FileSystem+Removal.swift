internal import StorePlatform

extension FileSystem {
    /// The kind of directory entry; a symbolic link is a kind of its own.
    package enum Entry {
        case nothing, file, directory, link, other
    }

    /// The kind of entry at `path`, without following symbolic links. `lstat`
    package static func entry(_ path: String) -> Entry {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .nothing }
        return entry(status)
    }

    static func entry(_ status: stat) -> Entry {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .other
        }
    }

    /// The maximum depth of a tree that is removed or copied; each level keeps a descriptor open.
    static var deepestTree: Int { 64 }

    /// Removes a directory and all of its contents. `unlinkat`
    ///
    /// Links are removed, never followed: each directory is opened from its parent's descriptor, so
    /// that a directory cannot be swapped for a link meanwhile. Entries that no longer exist are
    /// ignored. Throws the system's error.
    package static func removeTree(_ path: String) throws {
        try removeDirectory(path, from: AT_FDCWD, shown: path, depth: 0)
    }

    /// Removes the contents of a directory, but not the directory itself.
    package static func removeContents(of path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) cannot be opened to be emptied") }
        try withEntries(of: descriptor, path) { entry, directory in
            try removeEntry(entry, from: directory, shown: "\(path)/\(entry)", depth: 0)
        }
    }

    private static func removeDirectory(
        _ name: String, from parent: Int32, shown: String, depth: Int
    ) throws {
        guard depth < deepestTree else {
            throw StoreError(.unsupported, "\(shown) is nested too deeply to be removed")
        }
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw failure("\(shown) cannot be opened to be removed")
        }
        try withEntries(of: descriptor, shown) { entry, directory in
            try removeEntry(entry, from: directory, shown: "\(shown)/\(entry)", depth: depth)
        }
        guard unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw failure("\(shown) cannot be removed")
        }
    }

    private static func removeEntry(
        _ name: String, from directory: Int32, shown: String, depth: Int
    ) throws {
        var status = stat()
        guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return }
            throw failure("\(shown) cannot be removed")
        }
        guard entry(status) != .directory else {
            return try removeDirectory(name, from: directory, shown: shown, depth: depth + 1)
        }
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else {
            throw failure("\(shown) cannot be removed")
        }
    }

    /// Calls `body` with the name of each entry of an open directory, and closes the directory at
    /// the end. `readdir`
    static func withEntries(
        of descriptor: Int32, _ shown: String, _ body: (String, Int32) throws -> Void
    ) throws {
        guard let directory = fdopendir(descriptor) else {
            let error = failure("\(shown) cannot be listed")
            close(descriptor)
            throw error
        }
        defer { closedir(directory) }
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                guard errno == 0 else { throw failure("\(shown) cannot be listed") }
                return
            }
            // An entry may be shorter than its type: only read the bytes of the name.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { try body(name, descriptor) }
        }
    }

    /// The error of the system call that has just failed, in the domain `posix`. `errno`
    package static func failure(_ what: String) -> StoreError {
        let code = errno
        return StoreError(
            domain: .posix, code: Int(code), "\(what): \(String(cString: strerror(code)))")
    }
}
