internal import FleeceLite
internal import SQLCore

/// Removes the blobs that nothing in the file refers to.
///
/// Why it cannot lose one is in `docs/blobs.md`.
struct BlobCollector {
    /// The connection for writing, on which no transaction is open.
    let context: SQLContext
    let place: any BlobPlace

    /// Throws `SQLError`, `CancellationError`, or the system's error; rows that cannot be read may
    /// refer to anything, so nothing is removed then.
    func run() throws -> BlobRemoval {
        try context.checkCancellation()
        let candidates = try place.candidates()
        guard !candidates.digests.isEmpty else {
            return candidates.hasLeftovers ? try place.remove([]) : BlobRemoval()
        }
        // Most of the work keeps no writer waiting.
        var unused: Set<BlobDigest> = []
        var version: Int64 = 0
        try context.transaction(.deferred) {
            unused = try self.unused(of: candidates.digests)
            version = try dataVersion()
        }
        guard !unused.isEmpty else {
            return candidates.hasLeftovers ? try place.remove([]) : BlobRemoval()
        }
        // It writes nothing: it keeps others from saving a new reference.
        return try context.transaction(.immediate) {
            if try dataVersion() != version { unused = try self.unused(of: unused) }
            return try place.remove(unused)
        }
    }

    /// Changes when any other connection has committed.
    private func dataVersion() throws -> Int64 {
        try context.pragma("data_version")?.longValue ?? 0
    }

    /// Those that no row of any store refers to.
    func unused(of digests: Set<BlobDigest>) throws -> Set<BlobDigest> {
        var scan = BlobScan(digests)
        for name in try context.selectAll(sql: SchemaSQL.tableNames) {
            guard let table = name.first?.textValue, SchemaSQL.mayHoldRecords(table: table),
                let columns = try context.columns(ofTable: table),
                let sql = SchemaSQL.blobReferences(inTable: table, columns: columns)
            else { continue }
            try look(sql, &scan)
            if scan.unused.isEmpty { break }
        }
        return scan.unused
    }

    private func look(_ sql: String, _ scan: inout BlobScan) throws {
        var count = 0
        let rows = try context.prepare(sql: sql)
        while !scan.unused.isEmpty, try rows.next() {
            for column in 0..<rows.columnCount { scan.look(at: rows.bytes(at: column)) }
            count += 1
            if count % 256 == 0 { try context.checkCancellation() }
        }
    }
}

/// Digests, without those that some bytes were found to refer to.
///
/// A reference has the digest's text in it, in whatever way it is stored; it is enough to look for
/// that.
struct BlobScan {
    private(set) var unused: Set<BlobDigest>

    private static let prefix = Array(BlobDigest.prefix.utf8)

    init(_ digests: Set<BlobDigest>) {
        unused = digests
    }

    mutating func look(at bytes: UnsafeRawBufferPointer) {
        var start = 0
        while let place = bytes.offset(of: Self.prefix, from: start) {
            start = place + Self.prefix.count
            if let digest = BlobDigest(found: bytes, at: start) { unused.remove(digest) }
        }
    }
}
