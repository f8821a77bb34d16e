internal import DataFileCore
internal import SQLCore

/// The row that a walk through a store has come to, in the memory of SQLite.
///
/// Valid inside the closure that it is lent to, as are the bytes that it lends. A row whose
/// `expiration` and `extra` an upgrade by LiteCore has swapped is read as it was meant.
package struct StoredRowView: ~Copyable {
    /// With the columns of `columns`.
    let statement: SQLStatement
    /// Whether it stands in the table of tombstones.
    package let isInTombstoneTable: Bool

    /// The columns in the order in which they are read; those that an older table lacks are `NULL`.
    static func columns(_ table: StoreTables.Table) -> String {
        "key, sequence, flags, version, body, \(table.hasExpiration ? "expiration" : "NULL"), "
            + (table.hasExtra ? "extra" : "NULL")
    }

    /// The key; what is not UTF-8 in it is repaired.
    package var key: String { statement.text(at: 0) ?? "" }
    /// The number of the change that wrote it; nil for `NULL`.
    package var sequence: Int64? { integer(at: 1) }
    /// The whole column, the subsequence in its upper bits included.
    package var flags: Int64 { statement.long(at: 2) }
    /// When it expires; nil for never.
    package var expiration: Int64? { integer(at: isSwapped ? 6 : 5) }
    /// Where the walk is.
    package var place: StoredRowPosition {
        StoredRowPosition(isInTombstoneTable: isInTombstoneTable, key: key)
    }

    /// Lends the column `version`; nil for `NULL`.
    package func withVersion<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(bytes(at: 3))
    }

    /// Lends the column `body`; nil for `NULL`.
    package func withBody<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(bytes(at: 4))
    }

    /// Lends the column `extra`; nil for `NULL`.
    package func withExtra<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(isSwapped ? bytes(at: 5) : bytes(at: 6))
    }

    /// A copy that may leave the closure.
    package func copy() -> StoredRow {
        StoredRow(
            key: key, sequence: sequence, flags: flags,
            version: withVersion { $0.map { [UInt8]($0) } },
            body: withBody { $0.map { [UInt8]($0) } }, extra: withExtra { $0.map { [UInt8]($0) } },
            expiration: expiration, isInTombstoneTable: isInTombstoneTable)
    }

    private var isSwapped: Bool {
        let (isBlob, isExtraBlob) = (statement.isBlob(at: 5), statement.isBlob(at: 6))
        return isBlob && !isExtraBlob
    }

    private func integer(at column: Int) -> Int64? {
        statement.type(at: column) == .long ? statement.long(at: column) : nil
    }

    private func bytes(at column: Int) -> UnsafeRawBufferPointer? {
        // Of an integer, which an upgrade can have left in a column of bytes, there are none.
        switch statement.type(at: column) {
        case .blob, .text: statement.bytes(at: column)
        case .long, .real, .null: nil
        }
    }
}
