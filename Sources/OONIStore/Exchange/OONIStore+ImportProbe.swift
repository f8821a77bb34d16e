internal import DocumentStore

extension OONIStore {
    /// Adds what a database of OONI Probe holds: the file that the app keeps its results in, in any
    /// version from 5 to 21 of its schema.
    ///
    /// Results, measurements and networks keep their numbers, unless this store has given numbers
    /// as high already; the report says which have others. Networks that are equal, and websites
    /// of one address, become one. Revisions of descriptors that the store has stay as they are.
    /// A row that cannot be read is left out, and what cannot be read of a row too; the report
    /// lists both.
    ///
    /// - Parameters:
    ///   - path: the file, which is opened for reading only. If the app has left a file of the
    ///     same name with `-wal` behind it, that belongs to it.
    ///   - progress: told how far it is, at the beginning of each table and every 1,000 rows; what
    ///     it throws ends the import.
    ///
    /// Throws `.notReadable` for a file that is not there, damaged, no such database, or of another
    /// version; and what `progress` throws. The store is then as it was.
    @discardableResult
    public func importProbe(
        path: String, progress: (ImportReport.Progress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        try write { try importProbe(path: path, in: $0, progress: progress) }
    }

    /// The same from a task, in which nothing waits for the disk. A task that is cancelled ends the
    /// import.
    @discardableResult
    public func importProbe(
        path: String,
        progress: @escaping @Sendable (ImportReport.Progress) throws -> Void = { _ in }
    ) async throws -> ImportReport {
        try await write { try importProbe(path: path, in: $0, progress: progress) }
    }

    private func importProbe(
        path: String, in transaction: Transaction,
        progress: (ImportReport.Progress) throws -> Void
    ) throws -> ImportReport {
        let database = try ProbeDatabase(path: path)
        return try withoutActuallyEscaping(progress) { progress in
            var importer = try ProbeImporter(
                store: collections, database: database, progress: progress, in: transaction)
            return try importer.run()
        }
    }
}
