internal import FleeceLite
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// The vector indexes of this project on a connection, in one state of the schema.
private final class OpenVectorIndexes {
    let rows: [IndexRow]
    /// Those that were used.
    var open: [ExactString: OpenVectorIndex] = [:]

    init(_ rows: [IndexRow]) {
        self.rows = rows
    }
}

extension Connection {
    private func vectorIndexes() throws -> OpenVectorIndexes {
        let queries = queries
        if let known = queries.vectorIndexes as? OpenVectorIndexes { return known }
        let new = OpenVectorIndexes(try VectorRegistry(context).rows())
        queries.vectorIndexes = new
        return new
    }

    /// An open vector index of this project; nil if there is none with this name.
    ///
    /// Throws `.corruptData` if its tables or triggers are missing.
    package func vectorIndex(_ name: String) throws -> OpenVectorIndex? {
        let known = try vectorIndexes()
        if let open = known.open[ExactString(name)] { return open }
        guard let row = known.rows.first(where: { $0.name.hasSameBytes(as: name) }) else {
            return nil
        }
        let open = try OpenVectorIndex(row, self)
        known.open[ExactString(name)] = open
        return open
    }

    /// The registered vector indexes of this project.
    func vectorRows() throws -> [IndexRow] { try vectorIndexes().rows }
}

extension Snapshot {
    /// Whether maintenance can index vectors, or divide them into cells. An index that is damaged
    /// waits until it is rebuilt.
    func hasUnindexedVectors() throws -> Bool {
        let connection = try connection()
        return try connection.vectorRows().contains { row in
            do {
                guard row.vectorOptions?.isLazy != true,
                    let open = try connection.vectorIndex(row.name)
                else { return false }
                return try open.changeCount(atMost: 1) > 0 || open.index.needsCells()
            } catch let error as StoreError where error.has(.corruptData) {
                return false
            }
        }
    }
}

extension Transaction {
    /// The number of documents that one step of maintenance indexes, and that a writing transaction
    /// indexes itself.
    static let vectorsOfStep = 256

    /// Indexes the vectors of documents that have changed, up to a limit.
    ///
    /// Maintenance does it by itself while the file is open for writing, and each transaction for
    /// its own documents if they are few. Call it if ``DataFileOptions/maintenance`` is off, or so
    /// that the first queries after many changes are fast:
    ///
    /// ```swift
    /// try file.write { _ = try $0.updateVectorIndexes() }
    /// ```
    ///
    /// Results of queries do not depend on it: changed documents are compared one by one. Lazy
    /// indexes are not updated.
    ///
    /// - Parameter limit: the maximum number of documents of each index; no limit by default.
    /// - Returns: how many were indexed.
    /// - Throws: ``StoreError/Code/corruptData`` if the tables of an index are damaged.
    @discardableResult
    public func updateVectorIndexes(limit: Int = .max) throws -> Int {
        var count = 0
        var failure: StoreError?
        let connection = try writing()
        for row in try connection.vectorRows() where row.vectorOptions?.isLazy != true {
            do {
                guard let open = try connection.vectorIndex(row.name) else { continue }
                count += try savepoint { try open.updateAll(limit: limit) { _ in } }
            } catch let error as StoreError where error.has(.corruptData) {
                // The others can be updated.
                failure = error
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Indexes what this transaction has changed, if that is little.
    func updateVectorsOfChanges() throws {
        let connection = try writing()
        for row in try connection.vectorRows() where row.vectorOptions?.isLazy != true {
            guard connection.usedTables.contains(where: { $0.name == row.store }) else { continue }
            do {
                guard let open = try connection.vectorIndex(row.name) else { continue }
                let count = try open.changeCount(atMost: Self.vectorsOfStep + 1)
                hasChangedVectors = hasChangedVectors || count > Self.vectorsOfStep
                guard (1...Self.vectorsOfStep) ~= count else { continue }
                try savepoint { _ = try open.update(limit: Self.vectorsOfStep) }
            } catch let error as StoreError where error.has(.corruptData) {
                // The documents are more important than an index, whose queries tell that it must
                // be rebuilt.
                continue
            }
        }
    }

    /// Indexes all documents of an index that was created or rebuilt.
    func fillVectorIndex(_ row: IndexRow, _ progress: IndexProgressReport) throws {
        guard let open = try writing().vectorIndex(row.name), row.vectorOptions?.isLazy != true
        else { return }
        try open.updateAll(limit: .max) { try progress.report(1000 * $0, of: (1, 1000)) }
    }
}

extension OpenVectorIndex {
    /// Indexes changed documents, and divides the vectors into cells if there are enough.
    @discardableResult
    func updateAll(limit: Int, progress: (Double) throws -> Void) throws -> Int {
        let total = Double(max(1, try changeCount(atMost: limit)))
        var count = 0
        while count < limit {
            let step = min(1024, limit - count)
            let done = try update(limit: step)
            count += done
            try progress(0.5 * Double(count) / total)
            if done < step { break }
        }
        try index.buildCells { try progress(0.5 + 0.5 * $0) }
        return count
    }
}
