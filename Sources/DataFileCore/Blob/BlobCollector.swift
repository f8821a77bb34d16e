internal import FleeceLite
package import SQLCore
package import StoreFormat

/// Removes the blobs that nothing in the file refers to.
///
/// Why it cannot lose one is in `docs/blobs.md`.
package struct BlobCollector {
    /// The connection for writing, on which no transaction is open.
    package let context: SQLContext
    package let place: any BlobStorage

    package init(context: SQLContext, place: any BlobStorage) {
        self.context = context
        self.place = place
    }

    /// Throws `SQLError`, `CancellationError`, or the system's error; rows that cannot be read may
    /// refer to anything, so nothing is removed then. Nor is it if documents cannot be read, which
    /// is no error.
    func run() throws -> BlobRemoval {
        try context.checkCancellation()
        let candidates = try place.candidates()
        guard !candidates.digests.isEmpty else {
            return candidates.hasLeftovers ? try remove([]) : BlobRemoval()
        }
        // Most of the work keeps no writer waiting.
        var search = BlobSearch()
        var version: Int64 = 0
        try context.transaction(.deferred) {
            search = try self.search(for: candidates.digests)
            version = try dataVersion()
        }
        guard !search.removable.isEmpty else {
            let removal = candidates.hasLeftovers ? try remove([]) : BlobRemoval()
            return removal.leaving(search.unreadable)
        }
        // It writes nothing: it keeps others from saving a new reference.
        return try context.transaction(.immediate) {
            if try dataVersion() != version { search = try self.search(for: search.unused) }
            return try remove(search.removable).leaving(search.unreadable)
        }
    }

    private func remove(_ unused: Set<BlobDigest>) throws -> BlobRemoval {
        // A plain database can have the key, too: another tool has decrypted it, and not its blobs.
        let hasKey = try StoredBlobKey.stored(in: context) != nil
        return try place.remove(unused, keepsEncrypted: hasKey)
    }

    /// Changes when any other connection has committed.
    private func dataVersion() throws -> Int64 {
        try context.pragma("data_version")?.longValue ?? 0
    }

    /// Looks for those that no row of any store refers to.
    package func search(for digests: Set<BlobDigest>) throws -> BlobSearch {
        var search = BlobSearch(unused: digests)
        let check = RowBodyCheck(sharedKeys: try sharedKeys())
        for (table, sql) in try tables() {
            try look(sql, in: StoreTable.store(ofTable: table)?.store, check, &search)
            if search.unused.isEmpty { break }
        }
        // Where all are referred to, nobody need know whether others refer to them, too.
        if search.unused.isEmpty { search.unreadable = nil }
        return search
    }

    /// A blob of those that fit, to which a row of any store refers; nil if there is none.
    package func reference(where fits: (BlobDigest) -> Bool) throws -> BlobDigest? {
        for (_, sql) in try tables() {
            let rows = try context.prepare(sql: sql)
            while try rows.next() {
                let row = BlobRow(rows)
                for bytes in [row.body, row.extra, row.expiration] {
                    if let found = BlobScan.digest(in: bytes, where: fits) { return found }
                }
            }
        }
        return nil
    }

    /// The tables that may hold records, with what reads the parts that may refer to blobs.
    private func tables() throws -> [(name: String, sql: String)] {
        try context.selectAll(sql: SchemaSQL.tableNames).compactMap { name in
            guard let table = name.first?.textValue, SchemaSQL.mayHoldRecords(table: table),
                let columns = try context.columns(ofTable: table),
                let sql = SchemaSQL.blobReferences(inTable: table, columns: columns)
            else { return nil }
            return (table, sql)
        }
    }

    /// Those of the file; none if they are damaged: then nobody knows what stands in the documents
    /// that use them.
    private func sharedKeys() throws -> SharedKeys {
        let state = try StoreTable.info(InfoKey.sharedKeys, in: context)
        do {
            return try SharedKeys(stored: state)
        } catch is FleeceError {
            return SharedKeys()
        }
    }

    private func look(
        _ sql: String, in store: KeyStoreName?, _ check: RowBodyCheck, _ search: inout BlobSearch
    ) throws {
        var scan = BlobScan(search.unused)
        let collection = store.flatMap { $0.isCollection ? $0 : nil }
        var count = 0
        let rows = try context.prepare(sql: sql)
        while !scan.unused.isEmpty, try rows.next() {
            let row = BlobRow(rows)
            scan.look(at: row.body)
            scan.look(at: row.extra)
            scan.look(at: row.expiration)
            if let collection, !row.isWhole(check) { search.unreadable.add(collection, row.key) }
            count += 1
            if count % 256 == 0 { try context.checkCancellation() }
        }
        search.unused = scan.unused
    }
}

/// What a look at all rows has found.
package struct BlobSearch {
    /// Those that nothing was found to refer to.
    var unused: Set<BlobDigest> = []
    /// Documents that may refer to any of them; nil if there are none.
    package var unreadable: UnreadableDocuments?

    /// What is lost to nobody if it is removed.
    package var removable: Set<BlobDigest> { unreadable == nil ? unused : [] }
}

extension BlobRemoval {
    /// The same, with the documents because of which blobs were left.
    fileprivate func leaving(_ unreadable: UnreadableDocuments?) -> BlobRemoval {
        guard let unreadable else { return self }
        var removal = self
        removal.unreadable = unreadable
        removal.isComplete = false
        return removal
    }
}

/// A row as `SchemaSQL.blobReferences` gives it, lent until the next one.
private struct BlobRow {
    private let statement: SQLStatement

    init(_ statement: SQLStatement) { self.statement = statement }

    var key: String { statement.text(at: 0) ?? "" }
    var body: UnsafeRawBufferPointer { statement.bytes(at: 2) }
    var extra: UnsafeRawBufferPointer { statement.bytes(at: 3) }
    var expiration: UnsafeRawBufferPointer { statement.bytes(at: 4) }

    func isWhole(_ check: RowBodyCheck) -> Bool {
        // Of a row whose columns have changed places, the revisions are in the other one.
        let isSwapped = statement.isBlob(at: 4) && !statement.isBlob(at: 3)
        return check.isWhole(
            version: statement.bytes(at: 1), body: body, extra: isSwapped ? expiration : extra)
    }
}

/// Digests, without those that some bytes were found to refer to.
///
/// A reference has the digest's text in it, in whatever way it is stored; it is enough to look for
/// that.
package struct BlobScan {
    package private(set) var unused: Set<BlobDigest>

    private static let prefix = Array(BlobDigest.prefix.utf8)

    package init(_ digests: Set<BlobDigest>) {
        unused = digests
    }

    package mutating func look(at bytes: UnsafeRawBufferPointer) {
        _ = Self.digest(in: bytes) {
            unused.remove($0)
            return false
        }
    }

    /// The first digest that stands in bytes and fits.
    static func digest(
        in bytes: UnsafeRawBufferPointer, where fits: (BlobDigest) -> Bool
    ) -> BlobDigest? {
        var start = 0
        while let place = bytes.offset(of: prefix, from: start) {
            start = place + prefix.count
            if let digest = BlobDigest(found: bytes, at: start), fits(digest) { return digest }
        }
        return nil
    }
}
