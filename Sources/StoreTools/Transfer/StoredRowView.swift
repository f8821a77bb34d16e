internal import DataFileCore
internal import SQLCore

/// The current row of an enumeration of a store, in SQLite's memory.
///
/// It is valid inside the closure to which it is passed, as are the bytes that it passes. If an
/// upgrade by LiteCore has swapped `expiration` and `extra`, they are swapped back.
package struct StoredRowView: ~Copyable {
    /// The statement, with the columns of `columns`.
    let statement: SQLStatement
    /// Whether it is in the tombstone table.
    package let isInTombstoneTable: Bool

    /// The columns in the order in which they are read. Columns that an older table lacks are
    /// `NULL`.
    static func columns(_ table: StoreTables.Table) -> String {
        "key, sequence, flags, version, body, \(table.hasExpiration ? "expiration" : "NULL"), "
            + (table.hasExtra ? "extra" : "NULL")
    }

    /// The key. Invalid UTF-8 is replaced.
    package var key: String { statement.text(at: 0) ?? "" }
    /// The sequence of the change that wrote it; nil for `NULL`.
    package var sequence: Int64? { integer(at: 1) }
    /// The whole column, including the subsequence in its upper bits.
    package var flags: Int64 { statement.long(at: 2) }
    /// The expiration; nil for never.
    package var expiration: Int64? { integer(at: isSwapped ? 6 : 5) }
    /// The position in the enumeration.
    package var place: StoredRowPosition {
        StoredRowPosition(isInTombstoneTable: isInTombstoneTable, key: key)
    }

    /// Passes the bytes of the column `version` to `use`; nil for `NULL`.
    package func withVersion<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(bytes(at: 3))
    }

    /// Passes the bytes of the column `body` to `use`; nil for `NULL`.
    package func withBody<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(bytes(at: 4))
    }

    /// Passes the bytes of the column `extra` to `use`; nil for `NULL`.
    package func withExtra<T>(_ use: (UnsafeRawBufferPointer?) throws -> T) rethrows -> T {
        try use(isSwapped ? bytes(at: 5) : bytes(at: 6))
    }

    /// Returns a copy, which may leave the closure.
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
        // An integer, which an upgrade can have left in a column of bytes, has no bytes.
        switch statement.type(at: column) {
        case .blob, .text: statement.bytes(at: column)
        case .long, .real, .null: nil
        }
    }
}
