internal import SQLCore
internal import StoreFormat

/// A row of a KeyStore, recovered from a damaged file.
struct SalvagedRow: Equatable {
    var key: String
    var sequence: Int64?
    var flags: Int64?
    var version: [UInt8]?
    var body: [UInt8]?
    var expiration: Int64?
    var extra: [UInt8]?

    /// Whether the document is deleted, so that the row belongs to the tombstone table.
    var isTombstone: Bool { (flags ?? 0) & Int64(DocumentFlags.deleted.rawValue) != 0 }
}

extension SalvagedRow {
    /// Whether both are the same save of the same document.
    func isSame(as other: SalvagedRow) -> Bool {
        sequence == other.sequence && flags == other.flags && version == other.version
            && body == other.body
    }

    /// Whether it was saved later than the other row.
    func isLater(than other: SalvagedRow) -> Bool { time > other.time }

    /// The sequence and subsequence.
    private var time: (Int64, Int64) { (sequence ?? 0, (flags ?? 0) >> 16) }

    /// Reads the columns key, sequence, flags, version, body, expiration and extra of a statement's
    /// row. Returns nil if the key is not a string.
    init?(_ row: SQLStatement, from first: Int) {
        guard row.type(at: first) == .text, let key = row.text(at: first) else { return nil }
        self.init(
            key: key, sequence: row.value(at: first + 1).longValue,
            flags: row.value(at: first + 2).longValue, version: row.byteArray(at: first + 3),
            body: row.byteArray(at: first + 4), expiration: row.value(at: first + 5).longValue,
            extra: row.byteArray(at: first + 6))
        // In some files an upgrade has swapped them.
        if extra == nil, row.isBlob(at: first + 5) { extra = row.byteArray(at: first + 5) }
    }
}

// The columns of a store in all of their historical orders:
//
//   key, sequence, flags, version, body            2.x, and its rows after an upgrade
//   … body, extra          3.0                     … body, expiration      2.x
//   … body, extra, expiration    3.0 to 3.2.1      … body, expiration, extra      later
//
// Rows that are older than a column lack it. `expiration` is an integer and `extra` a blob, so
// their types identify them, even in rows in which an upgrade has swapped them.
extension PageRecord {
    /// Whether the types of its columns are those of a KeyStore's row.
    var isStoreRow: Bool {
        guard (5...7).contains(kinds.count), kinds[0] == .text,
            kinds[1] == .integer || kinds[1] == .null, kinds[2] == .integer || kinds[2] == .null,
            kinds[3] == .blob || kinds[3] == .null, kinds[4] == .blob || kinds[4] == .null
        else { return false }
        let later = kinds[5...]
        return later.allSatisfy { $0 == .integer || $0 == .blob || $0 == .null }
            && later.count { $0 == .integer } <= 1 && later.count { $0 == .blob } <= 1
    }

    /// The row; nil if some of its bytes are unknown or the key is not a string.
    var storeRow: SalvagedRow? {
        guard let key = text(0) else { return nil }
        var row = SalvagedRow(
            key: key, sequence: integer(1), flags: integer(2), version: nil, body: nil)
        for column in 3..<kinds.count {
            switch (column, kinds[column]) {
            case (_, .integer): row.expiration = integer(column)
            case (3, .blob): row.version = bytes(column)
            case (4, .blob): row.body = bytes(column)
            case (_, .blob): row.extra = bytes(column)
            default: continue
            }
            guard kinds[column] == .integer || bytes(column) != nil else { return nil }
        }
        return row
    }

    /// An entry of the schema table (type, name, table, root page, SQL); nil if it is not one.
    var schemaEntry: (type: String, name: String, table: String, root: Int)? {
        guard kinds.count == 5, kinds[4] == .text || kinds[4] == .null, let type = text(0),
            ["table", "index"].contains(type), let name = text(1), let table = text(2),
            let root = integer(3), root > 1
        else { return nil }
        return (type, name, table, Int(clamping: root))
    }

    /// A row of `kvmeta` (name, last sequence, purges); nil if it cannot be one.
    var metaEntry: StoreCounts? {
        guard (2...3).contains(kinds.count), let name = text(0), let sequence = integer(1),
            kinds.count == 2 || kinds[2] == .integer || kinds[2] == .null
        else { return nil }
        return StoreCounts(
            name: name, lastSequence: sequence, purges: kinds.count == 3 ? integer(2) ?? 0 : 0)
    }
}

/// A row of `kvmeta`.
struct StoreCounts: Equatable {
    var name: String
    var lastSequence: Int64
    var purges: Int64
}
