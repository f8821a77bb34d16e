internal import DataFileCore

/// A database that a command makes, which goes again where nothing comes of it.
enum NewDatabase {
    /// Whether nothing stands at a path, so that what a command then opens there is its own.
    ///
    /// An empty folder is somebody's, and stays.
    static func isNew(_ path: String) -> Bool { System.entry(path).isNothing }

    /// Runs `body`, which fills a database; if it throws before a document is committed, a database
    /// that is new is removed.
    static func filling<T>(
        _ file: DataFile, isNew: Bool, _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch {
            if isNew { removeIfEmpty(file) }
            throw error
        }
    }

    /// Closes and removes a database that no document has ever been in; returns whether it is gone.
    ///
    /// It is looked at, too, since others may have found it meanwhile.
    @discardableResult
    static func removeIfEmpty(_ file: DataFile) -> Bool {
        let isEmpty = try? file.read { snapshot in
            try snapshot.collectionNames().allSatisfy {
                try Collection($0).keyStore.lastSequence(in: snapshot) == 0
            }
        }
        return isEmpty == true && remove(file)
    }

    /// Closes and removes a database with all that is in it; returns whether it is gone. One that
    /// others have open stays.
    static func remove(_ file: DataFile) -> Bool {
        file.close()
        return (try? DataFile.delete(path: file.path)) != nil
    }
}
