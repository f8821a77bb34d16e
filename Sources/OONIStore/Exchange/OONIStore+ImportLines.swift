internal import DocumentStore

extension OONIStore {
    /// Restores an export written by ``export(to:progress:)`` into a new store. The store is then
    /// equal to the exported one, and does not assign a number that the other has assigned.
    ///
    /// Empty lines are skipped. Everything is checked: that each line can be read, that documents
    /// it refers to precede it, that the counts match the measurements, and that no line is
    /// missing.
    ///
    /// ```swift
    /// let text = try String(contentsOfFile: "probe.jsonl", encoding: .utf8)
    /// let copy = try OONIStore(path: "copy.cblite2")
    /// try copy.importLines(text.split(separator: "\n").map(String.init))
    /// ```
    ///
    /// - Parameters:
    ///   - lines: the lines, without their line endings; they are read once, in one transaction.
    ///   - progress: called with the number of lines read, every 1,000 lines and at the end; an
    ///     error that it throws ends the import.
    /// - Returns: the number of lines, including empty ones.
    /// - Throws: ``OONIStoreError/Code/invalidLine`` with the number of the line and the problem;
    ///   ``OONIStoreError/Code/newerVersion`` for lines of a later version of this library;
    ///   ``OONIStoreError/Code/notEmpty``. The store is then unchanged.
    @discardableResult
    public func importLines(
        _ lines: some Sequence<String>, progress: (_ lines: Int) throws -> Void = { _ in }
    ) throws -> Int {
        try write { try importLines(lines, in: $0, progress: progress) }
    }

    /// Restores an export without blocking a thread of the task on the disk. Cancelling the task
    /// ends the import.
    ///
    /// - Parameters:
    ///   - lines: the lines, without their line endings.
    ///   - progress: called with the number of lines read, every 1,000 lines and at the end, on
    ///     another thread.
    /// - Returns: the number of lines, including empty ones.
    /// - Throws: the same errors, and `CancellationError`. The store is then unchanged.
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
                "lines are imported into an empty store, and this one has \(count) \(name): create "
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
    /// Imports a database of OONI Probe: the file in which the app stores its results, in any
    /// schema version from 5 to 21.
    ///
    /// Results, measurements and networks keep their numbers, unless this store has already
    /// assigned numbers as high; the report lists the renumbered ones. Equal networks, and websites
    /// with the same address, are merged. Revisions of descriptors that the store has stay
    /// unchanged. Rows and values that cannot be read are left out; the report lists both.
    /// Importing the same file again creates second copies of its results.
    ///
    /// ```swift
    /// let report = try probe.importProbe(path: "database.db") { progress in
    ///     show("\(progress.table.rawValue): \(progress.rows) of \(progress.total)")
    /// }
    /// show(report.problems.count)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the file, which is opened read-only. If the app has left a file of the same name
    ///     with the suffix `-wal`, keep it next to the file: it belongs to the database.
    ///   - progress: called at the beginning of each table and every 1,000 rows; an error that it
    ///     throws ends the import.
    /// - Returns: what was read, and what could not be used.
    /// - Throws: ``OONIStoreError/Code/notReadable`` for a file that is missing, damaged, not such
    ///   a database, or of another version; and errors of `progress`. The store is then unchanged.
    @discardableResult
    public func importProbe(
        path: String, progress: (ImportReport.Progress) throws -> Void = { _ in }
    ) throws -> ImportReport {
        try write { try importProbe(path: path, in: $0, progress: progress) }
    }

    /// Imports a database of OONI Probe without blocking a thread of the task on the disk.
    /// Cancelling the task ends the import.
    ///
    /// ```swift
    /// let report = try await probe.importProbe(path: "database.db")
    /// ```
    ///
    /// - Parameters:
    ///   - path: the file, which is opened read-only.
    ///   - progress: called at the beginning of each table and every 1,000 rows, on another thread.
    /// - Returns: what was read, and what could not be used.
    /// - Throws: the same errors, and `CancellationError`. The store is then unchanged.
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
