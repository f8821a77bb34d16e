/// Where each column of a table stands in its rows: made once per table, shared by its rows.
///
/// A column is found by its identity, in a small hash table of positions; one that was declared
/// again elsewhere is found by its name.
final class SQLColumnIndex: Sendable {
    let columns: [SQLColumn]
    /// Positions in `columns`, or -1 where the hash table is empty; a power of two of them.
    private let slots: [Int32]
    private let positions: [String: Int]

    init(_ columns: [SQLColumn]) {
        self.columns = columns
        var size = 4
        while size < columns.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (position, column) in columns.enumerated() {
            var slot = Self.hash(of: column) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = Int32(position)
        }
        self.slots = slots
        positions = Dictionary(
            columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The position of a column, or nil if the table has none of this name.
    func position(of column: SQLColumn) -> Int? {
        identicalPosition(of: column) ?? positions[column.name]
    }

    /// The position of this very declaration.
    func identicalPosition(of column: SQLColumn) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(of: column) & mask
        while slots[slot] >= 0 {
            let position = Int(slots[slot])
            if columns[position].declaration === column.declaration { return position }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func hash(of column: SQLColumn) -> Int {
        // Addresses are multiples of 16, often at equal distances: the product spreads them.
        let address = UInt(bitPattern: ObjectIdentifier(column.declaration))
        return Int(truncatingIfNeeded: ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
