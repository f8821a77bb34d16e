internal import SQLCore

// These block the calling thread; `DataFile+AsyncMaintenance.swift` has the asynchronous forms.

extension DataFile {
    /// Returns free pages to the file system, and removes the blobs that nothing in the file refers
    /// to.
    ///
    /// Deleting documents leaves free pages, which later writes reuse; compacting returns them to
    /// the file system instead:
    ///
    /// ```swift
    /// let result = try file.compact()
    /// show("\(result.removedPages) pages, \(result.removedBlobBytes) bytes of blobs")
    /// ```
    ///
    /// Pages are removed in steps of 512, between which other processes can write. A file that was
    /// not created with incremental vacuum is rewritten once. An unreadable document may refer to
    /// any blob: then no blob is removed, and ``CompactionResult/unreadableDocuments`` counts such
    /// documents. A blob that was put within the last ``DataFileOptions/blobGraceSeconds`` is
    /// retained.
    ///
    /// - Parameter isExplicit: false ignores blobs, and returns pages only if a quarter of them or
    ///   10 MB are free, as closing the last handle does; true (default) always compacts.
    /// - Returns: what was removed.
    /// - Throws: ``StoreError/Code/notWriteable``; ``StoreError/Code/busy``;
    ///   ``StoreError/Code/transactionNotClosed`` inside a write of this thread;
    ///   ``StoreError/Code/unsupported`` for a file of Couchbase Lite 2 that has to be rewritten
    ///   and has indexes with missing functions; such a file is not changed then, only its blobs
    ///   are.
    @discardableResult
    public func compact(isExplicit: Bool = true) throws -> CompactionResult {
        let blobs = isExplicit ? shared.blobs : nil
        return try withWriterContext {
            try Compaction(context: $0, path: path, isExplicit: isExplicit, blobs: blobs).run()
        }
    }
}

extension DataFile {
    /// Updates the planner statistics, which SQLite uses to choose among indexes, with `ANALYZE`.
    ///
    /// ```swift
    /// try file.optimize(isThorough: true)
    /// ```
    ///
    /// Maintenance does it by itself after 10,000 changes of a collection, and creating an index
    /// does it for that collection. Call it after an import if ``DataFileOptions/maintenance`` is
    /// off, or if a query uses another index than expected.
    ///
    /// - Parameter isThorough: whether to read all rows instead of a sample of 400 per index; false
    ///   by default, which takes milliseconds.
    /// - Throws: as `compact` does.
    public func optimize(isThorough: Bool = false) throws {
        try withWriterContext { try Optimization.analyze($0, isThorough: isThorough) }
    }

    /// Rebuilds all indexes from the rows, with `REINDEX`. Blocks other writers meanwhile.
    ///
    /// Use it if `integrityCheck` has found an index that does not agree with its table, or if
    /// SQLite's own comparison of strings has changed. To rebuild one index of a collection see
    /// ``DocumentCollection/rebuildIndex(_:in:progress:)``.
    ///
    /// - Throws: ``StoreError/Code/unsupported`` if functions of the indexes are missing; nothing
    ///   is changed then. Otherwise as `compact` does.
    public func reindex() throws {
        try withWriterContext { try Reindexing.run($0, path: path) }
    }
}

extension DataFile {
    /// Checks all pages of the file for damage, which it returns as findings.
    ///
    /// ```swift
    /// let report = try file.integrityCheck()
    /// for finding in report.findings { show(finding.message, finding.table ?? "") }
    /// ```
    ///
    /// Reads the whole file on one snapshot; it does not block other connections. It checks what
    /// SQLite stores: pages, rows and indexes. Blobs are checked by ``BlobStore/verifyAll()``.
    ///
    /// - Parameter limit: the maximum number of findings, after which it stops; 100 by default.
    /// - Returns: the findings; none for an intact file.
    /// - Throws: ``StoreError`` if the file cannot be read at all;
    ///   ``StoreError/Code/transactionNotClosed`` inside a read or write of this thread.
    public func integrityCheck(limit: Int = 100) throws -> IntegrityReport {
        try withReaderConnection { connection in
            try connection.boundingForeignSchema {
                try IntegrityCheck(context: connection.context, limit: limit).run()
            }
        }
    }
}

extension DataFile {
    /// Measures the contents of the file on one snapshot: rows and bytes of each store, and pages
    /// of each table and index.
    ///
    /// ```swift
    /// for store in try file.statistics().stores {
    ///     show(store.name, "\(store.liveRecords) records, \(store.bodyBytes) bytes")
    /// }
    /// ```
    ///
    /// Reads all rows, but not all of their bytes. For a count alone use
    /// ``DocumentCollection/count(in:)``, for the file's size ``size``.
    ///
    /// - Throws: ``StoreError`` if rows cannot be read; ``StoreError/Code/transactionNotClosed``
    ///   inside a read or write of this thread.
    public func statistics() throws -> FileStatistics {
        let wal = size.wal
        return try withReaderContext { context in
            try context.transaction(.deferred) {
                try StatisticsReader(context: context, walBytes: wal).run()
            }
        }
    }
}
