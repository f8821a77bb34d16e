internal import FleeceLite
package import SQLCore
package import StoreFormat

/// Removes the blobs that nothing in the file refers to.
///
/// `docs/blobs.md` explains why it cannot remove a blob that is in use.
package struct BlobCollector {
    /// The writing connection, which has no open transaction.
    package let context: SQLContext
    package let storage: any BlobStorage

    package init(context: SQLContext, storage: any BlobStorage) {
        self.context = context
        self.storage = storage
    }

    /// Throws `SQLError`, `CancellationError`, or the system's error if rows cannot be read: they
    /// may refer to any blob, so nothing is removed. Unreadable documents also prevent removal, but
    /// are not an error.
    func run() throws -> BlobRemoval {
        try context.checkCancellation()
        let candidates = try storage.candidates()
        guard !candidates.digests.isEmpty else {
            return candidates.hasLeftovers ? try remove([]) : BlobRemoval()
        }
        // Most of the work does not block a writer.
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
        // Writes nothing: the transaction prevents others from saving a new reference.
        return try context.transaction(.immediate) {
            if try dataVersion() != version { search = try self.search(for: search.unused) }
            return try remove(search.removable).leaving(search.unreadable)
        }
    }

    private func remove(_ unused: Set<BlobDigest>) throws -> BlobRemoval {
        // A plaintext database can have the key, too, if another tool decrypted it without its
        // blobs.
        let hasKey = try StoredBlobKey.stored(in: context) != nil
        return try storage.remove(unused, keepsEncrypted: hasKey)
    }

    /// Changes when any other connection commits.
    private func dataVersion() throws -> Int64 {
        try context.pragma("data_version")?.longValue ?? 0
    }

    /// Determines which of the blobs no row of any store refers to.
    package func search(for digests: Set<BlobDigest>) throws -> BlobSearch {
        var search = BlobSearch(unused: digests)
        let check = RowBodyCheck(sharedKeys: try sharedKeys())
        for (table, sql) in try tables() {
            try look(sql, in: StoreTable.store(ofTable: table)?.store, check, &search)
            if search.unused.isEmpty { break }
        }
        // If all are referred to, unreadable documents do not matter.
        if search.unused.isEmpty { search.unreadable = nil }
        return search
    }

    /// A blob meeting the condition that a row of any store refers to; nil if there is none.
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

    /// The tables that may contain records, with the query for the columns that may refer to blobs.
    private func tables() throws -> [(name: String, sql: String)] {
        try context.selectAll(sql: SchemaSQL.tableNames).compactMap { name in
            guard let table = name.first?.textValue, SchemaSQL.mayHoldRecords(table: table),
                let columns = try context.columns(ofTable: table),
                let sql = SchemaSQL.blobReferences(inTable: table, columns: columns)
            else { return nil }
            return (table, sql)
        }
    }

    /// The file's shared keys; empty if they are damaged, which makes documents that use them
    /// unreadable.
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

/// The result of scanning all rows for references.
package struct BlobSearch {
    /// The blobs to which no reference was found.
    var unused: Set<BlobDigest> = []
    /// Documents that may refer to any of them; nil if there are none.
    package var unreadable: UnreadableDocuments?

    /// The blobs that are safe to remove.
    package var removable: Set<BlobDigest> { unreadable == nil ? unused : [] }
}

extension BlobRemoval {
    /// The same, plus the documents that prevented the removal of blobs.
    fileprivate func leaving(_ unreadable: UnreadableDocuments?) -> BlobRemoval {
        guard let unreadable else { return self }
        var removal = self
        removal.unreadable = unreadable
        removal.isComplete = false
        return removal
    }
}

/// A row of `SchemaSQL.blobReferences`, valid until the next one.
private struct BlobRow {
    private let statement: SQLStatement

    init(_ statement: SQLStatement) { self.statement = statement }

    var key: String { statement.text(at: 0) ?? "" }
    var body: UnsafeRawBufferPointer { statement.bytes(at: 2) }
    var extra: UnsafeRawBufferPointer { statement.bytes(at: 3) }
    var expiration: UnsafeRawBufferPointer { statement.bytes(at: 4) }

    func isWhole(_ check: RowBodyCheck) -> Bool {
        // If columns are swapped, `expiration` contains the revisions.
        let isSwapped = statement.isBlob(at: 4) && !statement.isBlob(at: 3)
        return check.isWhole(
            version: statement.bytes(at: 1), body: body, extra: isSwapped ? expiration : extra)
    }
}

/// A set of digests, from which those found in scanned bytes are removed.
///
/// Every form of a reference contains the digest's text, so it is sufficient to search for that.
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

    /// The first digest in the bytes that meets the condition.
    static func digest(
        in bytes: UnsafeRawBufferPointer, where fits: (BlobDigest) -> Bool
    ) -> BlobDigest? {
        var start = 0
        while let match = bytes.offset(of: prefix, from: start) {
            start = match + prefix.count
            if let digest = BlobDigest(found: bytes, at: start), fits(digest) { return digest }
        }
        return nil
    }
}
