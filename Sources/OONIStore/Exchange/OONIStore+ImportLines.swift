internal import DocumentStore

extension OONIStore {
    /// Restores what `export(to:)` has written, into a store that is new. It is then as the one
    /// that was exported, and gives no number that the other has given.
    ///
    /// Empty lines are passed over. Everything is checked: that each line can be read, that what it
    /// refers to stands before it, that counts are those of the measurements, and that no line is
    /// missing.
    ///
    /// - Parameter progress: told how many lines have been read, every 1,000 and at the end; what
    ///   it throws ends the import.
    /// - Returns: how many lines there were.
    ///
    /// Throws `.invalidLine` with the number of the line and what is wrong with it; `.newerVersion`
    /// for lines of a later version of this library; `.notEmpty`. The store is then as it was.
    @discardableResult
    public func importLines(
        _ lines: some Sequence<String>, progress: (_ lines: Int) throws -> Void = { _ in }
    ) throws -> Int {
        try write { try importLines(lines, in: $0, progress: progress) }
    }

    /// The same from a task, in which nothing waits for the disk. A task that is cancelled ends the
    /// import.
    @discardableResult
    public func importLines(
        _ lines: some Sequence<String> & Sendable,
        progress: @escaping @Sendable (_ lines: Int) throws -> Void = { _ in }
    ) async throws -> Int {
        try await write { try importLines(lines, in: $0, progress: progress) }
    }

    private func importLines(
        _ lines: some Sequence<String>, in transaction: Transaction,
        progress: (_ lines: Int) throws -> Void
    ) throws -> Int {
        try requireEmpty(in: transaction)
        var importer = LinesImporter(store: collections, transaction: transaction)
        for line in lines {
            try importer.read(line)
            if importer.number % 1_000 == 0 { try progress(importer.number) }
        }
        try importer.finish()
        if importer.number % 1_000 != 0 { try progress(importer.number) }
        return importer.number
    }

    private func requireEmpty(in snapshot: Snapshot) throws {
        for name in LinesCollection.allCases {
            let count = try name.collection(of: collections).count(in: snapshot).live
            guard count > 0 else { continue }
            throw OONIStoreError(
                .notEmpty,
                "lines are imported into an empty store, and this one has \(count) \(name): make "
                    + "another one for them")
        }
        for kind in Identifiers.Kind.allCases {
            guard try collections.identifiers.last(kind, in: snapshot) > 0 else { continue }
            throw OONIStoreError(
                .notEmpty,
                "lines are imported into a new store, and this one had \(kind.rawValue), whose "
                    + "numbers would be given again: make another one for them")
        }
    }
}

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
