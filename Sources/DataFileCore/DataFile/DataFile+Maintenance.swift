internal import SQLCore

// Each blocks the thread that calls it; `DataFile+AsyncMaintenance.swift` has the forms for tasks.

extension DataFile {
    /// Gives room that is not used any more back to the file system, and removes the blobs that
    /// nothing in the file refers to.
    ///
    /// A document that cannot be read may refer to any blob: then none is removed, and
    /// `CompactionResult.unreadableDocuments` says so.
    ///
    /// - Parameter isExplicit: false leaves blobs alone, and does the rest only if a quarter of the
    ///   pages or 10 MB are free.
    ///
    /// Throws `.notWriteable`, `.busy`, or `.unsupported` for a file of Couchbase Lite 2 that has
    /// to be rewritten and has indexes whose functions are missing; of that nothing is changed
    /// then but its blobs.
    @discardableResult
    public func compact(isExplicit: Bool = true) throws -> CompactionResult {
        let blobs = isExplicit ? shared.blobs : nil
        return try withWriterContext {
            try Compaction(context: $0, path: path, isExplicit: isExplicit, blobs: blobs).run()
        }
    }
}

extension DataFile {
    /// Tells SQLite how the values of the indexes are spread, from which it chooses among them.
    ///
    /// - Parameter isThorough: looks at all rows, not at some.
    public func optimize(isThorough: Bool = false) throws {
        try withWriterContext { try Optimization.analyze($0, isThorough: isThorough) }
    }

    /// Makes all indexes again from the rows. `REINDEX`
    ///
    /// Throws `.unsupported` if functions of the indexes are missing; nothing is changed then.
    public func reindex() throws {
        try withWriterContext { try Reindexing.run($0, path: path) }
    }
}

extension DataFile {
    /// Looks for damage, in all pages of the file. What it finds is no error.
    ///
    /// It reads the whole file, on one snapshot; others can go on meanwhile.
    ///
    /// - Parameter limit: the most findings; it ends with that one.
    public func integrityCheck(limit: Int = 100) throws -> IntegrityReport {
        try withReaderSession { session in
            try session.boundingForeignSchema {
                try IntegrityCheck(context: session.context, limit: limit).run()
            }
        }
    }
}

extension DataFile {
    /// How much the file holds, and where, on one snapshot.
    ///
    /// It reads all rows, though not all of their bytes.
    public func statistics() throws -> FileStatistics {
        let wal = size.wal
        return try withReaderContext { context in
            try context.transaction(.deferred) {
                try StatisticsReader(context: context, walBytes: wal).run()
            }
        }
    }
}
