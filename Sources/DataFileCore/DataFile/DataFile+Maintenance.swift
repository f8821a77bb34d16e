internal import SQLCore

// These block the calling thread; `DataFile+AsyncMaintenance.swift` has the asynchronous forms.

extension DataFile {
    /// Returns free pages to the file system, and removes the blobs that nothing in the file refers
    /// to.
    ///
    /// An unreadable document may refer to any blob: then no blob is removed, and
    /// `CompactionResult.unreadableDocuments` counts such documents.
    ///
    /// - Parameter isExplicit: false ignores blobs, and returns pages only if a quarter of them or
    ///   10 MB are free.
    ///
    /// Throws `.notWriteable`, `.busy`, or `.unsupported` for a file of Couchbase Lite 2 that has
    /// to be rewritten and has indexes with missing functions; such a file is not changed then,
    /// only its blobs are.
    @discardableResult
    public func compact(isExplicit: Bool = true) throws -> CompactionResult {
        let blobs = isExplicit ? shared.blobs : nil
        return try withWriterContext {
            try Compaction(context: $0, path: path, isExplicit: isExplicit, blobs: blobs).run()
        }
    }
}

extension DataFile {
    /// Updates the planner statistics, which SQLite uses to choose among indexes. `ANALYZE`
    ///
    /// - Parameter isThorough: whether to read all rows instead of a sample.
    public func optimize(isThorough: Bool = false) throws {
        try withWriterContext { try Optimization.analyze($0, isThorough: isThorough) }
    }

    /// Rebuilds all indexes from the rows. `REINDEX`
    ///
    /// Throws `.unsupported` if functions of the indexes are missing; nothing is changed then.
    public func reindex() throws {
        try withWriterContext { try Reindexing.run($0, path: path) }
    }
}

extension DataFile {
    /// Checks all pages of the file for damage, which it returns as findings.
    ///
    /// Reads the whole file on one snapshot; it does not block other connections.
    ///
    /// - Parameter limit: the maximum number of findings, after which it stops.
    public func integrityCheck(limit: Int = 100) throws -> IntegrityReport {
        try withReaderSession { session in
            try session.boundingForeignSchema {
                try IntegrityCheck(context: session.context, limit: limit).run()
            }
        }
    }
}

extension DataFile {
    /// Measures the contents of the file on one snapshot.
    ///
    /// Reads all rows, but not all of their bytes.
    public func statistics() throws -> FileStatistics {
        let wal = size.wal
        return try withReaderContext { context in
            try context.transaction(.deferred) {
                try StatisticsReader(context: context, walBytes: wal).run()
            }
        }
    }
}
