package import DocumentStore

/// A database that a command makes if there is none, which goes again where nothing comes of it.
package struct NewDatabase {
    /// As it was typed.
    let path: String
    /// What the command found there.
    private let before: Before

    private enum Before {
        case nothing
        /// A directory of somebody's, which stays.
        case emptyDirectory
        case something
    }

    /// Looks at what stands at a path.
    package init(_ path: String) {
        self.path = path
        before =
            switch System.entry(path) {
            case .nothing: .nothing
            case .directory where (try? System.names(in: path)) == []: .emptyDirectory
            case .directory, .file, .other: .something
            }
    }

    /// Whether nothing stood there, so that what a command then opens there is its own.
    package var isNew: Bool { before != .something }

    /// Throws unless the name of a new one is that of a database, or a person says that it is
    /// meant: a name with a slip in it, or in another argument's place, must not become a database.
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
            Question.canPrompt
            && Question.ask("\(Text.line(path)) does not exist. Make a new database there?")
        guard !isMeant else { return }
        throw ToolError(
            "\(Text.line(path)) does not exist, and a database's name ends with .cblite2; --create "
                + "makes one of this name", status: .notFound)
    }

    /// Opens it with `open`; if that fails, what it has left of a new one is removed.
    package func opening(_ open: () throws -> DataFile) throws -> DataFile {
        do {
            return isNew ? try System.restrictingNewFiles(open) : try open()
        } catch let error as StoreError where isNew {
            _ = try? DataFile.unmake(path: path, keepsDirectory: keepsDirectory, onlyUnfilled: true)
            // It may need an option of the command.
            guard !error.has(.busy) else { throw error }
            throw Self.failure(error, path)
        }
    }

    /// Runs `body`, which fills it; if it throws before a document is committed, a database that is
    /// new is removed.
    package func filling<T>(_ file: DataFile, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            guard isNew, Self.removeIfEmpty(file, keepsDirectory: keepsDirectory) else { throw error }
            if let error = error as? StoreError, error.isFullDisk {
                throw Self.failure(error, path)
            }
            throw error
        }
    }

    /// Closes a new one and removes it with all that is in it; returns whether it is gone.
    package func remove(_ file: DataFile) -> Bool {
        isNew && Self.remove(file, keepsDirectory: keepsDirectory)
    }

    private var keepsDirectory: Bool { before == .emptyDirectory }

    /// The error of a database that could not be made: what else the command reads has nothing to
    /// do with it.
    package static func failure(_ error: StoreError, _ path: String) -> ToolError {
        guard !error.isFullDisk else {
            return ToolError("the disk is full; \(Text.line(path)) was not made")
        }
        return ToolError(error.messageForPeople, status: ExitStatus(error))
    }
}

// What goes again.
extension NewDatabase {
    /// Closes and removes a database that no document has ever been in; returns whether it is gone.
    ///
    /// It is looked at, too, since others may have found it meanwhile.
    @discardableResult
    static func removeIfEmpty(_ file: DataFile, keepsDirectory: Bool = false) -> Bool {
        let isEmpty = try? file.read { snapshot in
            try snapshot.collectionNames().allSatisfy {
                try DocumentCollection($0).keyStore.lastSequence(in: snapshot) == 0
            }
        }
        return isEmpty == true && remove(file, keepsDirectory: keepsDirectory)
    }

    /// Closes and removes a database with all that is in it; returns whether it is gone. One that
    /// others have open stays.
    static func remove(_ file: DataFile, keepsDirectory: Bool = false) -> Bool {
        file.close()
        guard keepsDirectory else { return (try? DataFile.delete(path: file.path)) != nil }
        return (try? DataFile.unmake(path: file.path, keepsDirectory: true)) == true
    }
}
