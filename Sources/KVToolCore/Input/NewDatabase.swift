package import DocumentStore

/// A database that a command creates if it does not exist, and removes if it remains empty.
package struct NewDatabase {
    /// The path as entered.
    let path: String
    /// The state of the path before the command.
    private let before: Before

    private enum Before {
        case nothing
        /// A directory of the user, which is not removed.
        case emptyDirectory
        case something
    }

    /// Records the current state of a path.
    package init(_ path: String) {
        self.path = path
        before =
            switch System.entry(path) {
            case .nothing: .nothing
            case .directory where (try? System.names(in: path)) == []: .emptyDirectory
            case .directory, .file, .other: .something
            }
    }

    /// Whether nothing existed at the path, so that the command created the database itself.
    package var isNew: Bool { before != .something }

    /// Throws unless the name of a new database has a database extension, or the user confirms it:
    /// a misspelled name, or a misplaced argument, must not become a database.
    package func requireName() throws {
        var name = path.lowercased()
        while name.hasSuffix("/") { name.removeLast() }
        guard before == .nothing, !DatabaseNames.endings.contains(where: name.hasSuffix)
        else { return }
        if let other = DatabaseNames.suggestion(for: path) {
            throw ToolError(
                "\(Text.line(path)) does not exist; did you mean \(Text.line(other))?",
                status: .notFound)
        }
        let isMeant =
            Prompt.canPrompt
            && Prompt.confirm("\(Text.line(path)) does not exist. Create a new database there?")
        guard !isMeant else { return }
        throw ToolError(
            "\(Text.line(path)) does not exist, and a database's name ends with .cblite2; use "
                + "--create for another name", status: .notFound)
    }

    /// Opens the database with `open`; on failure, removes what was created of a new one.
    package func opening(_ open: () throws -> DataFile) throws -> DataFile {
        do {
            return isNew ? try System.restrictingNewFiles(open) : try open()
        } catch let error as StoreError where isNew {
            _ = try? DataFile.unmake(path: path, keepsDirectory: keepsDirectory, onlyUnfilled: true)
            // Another option of the command may resolve this.
            guard !error.has(.busy) else { throw error }
            throw Self.failure(error, path)
        }
    }

    /// Runs `body`, which fills the database; if it throws before a document is committed, a new
    /// database is removed.
    package func filling<T>(_ file: DataFile, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            guard isNew, Self.removeIfEmpty(file, keepsDirectory: keepsDirectory) else {
                throw error
            }
            if let error = error as? StoreError, error.isFullDisk {
                throw Self.failure(error, path)
            }
            throw error
        }
    }

    /// Closes and removes a new database with its contents; returns whether it was removed.
    package func remove(_ file: DataFile) -> Bool {
        isNew && Self.remove(file, keepsDirectory: keepsDirectory)
    }

    /// Closes and removes a new database if there is nothing in it.
    package func removeIfEmpty(_ file: DataFile) {
        if isNew { Self.removeIfEmpty(file, keepsDirectory: keepsDirectory) }
    }

    private var keepsDirectory: Bool { before == .emptyDirectory }

    /// The error for a database that could not be created, without mentioning other files of the
    /// command.
    package static func failure(_ error: StoreError, _ path: String) -> ToolError {
        guard !error.isFullDisk else {
            return ToolError("the disk is full; \(Text.line(path)) was not created")
        }
        return ToolError(error.messageForPeople, status: ExitStatus(error))
    }
}

// Removal.
extension NewDatabase {
    /// Closes and removes a database that never contained a document; returns whether it was
    /// removed.
    ///
    /// Checks the contents, because other processes may have written to it in the meantime.
    @discardableResult
    package static func removeIfEmpty(_ file: DataFile, keepsDirectory: Bool = false) -> Bool {
        let isEmpty = try? file.read { snapshot in
            try snapshot.collectionNames().allSatisfy {
                try DocumentCollection($0).keyStore.lastSequence(in: snapshot) == 0
            }
        }
        return isEmpty == true && remove(file, keepsDirectory: keepsDirectory)
    }

    /// Closes and removes a database with its contents; returns whether it was removed. A database
    /// that another process has open is not removed.
    static func remove(_ file: DataFile, keepsDirectory: Bool = false) -> Bool {
        file.close()
        guard keepsDirectory else { return (try? DataFile.delete(path: file.path)) != nil }
        return (try? DataFile.unmake(path: file.path, keepsDirectory: true)) == true
    }
}
