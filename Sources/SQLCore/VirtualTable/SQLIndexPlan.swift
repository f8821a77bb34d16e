import CSQLite

/// The constraints and the order that a statement requires of a virtual table, and the table's plan
/// to provide them. `sqlite3_index_info`
///
/// Valid during `SQLVirtualTable.plan(_:)` only.
public struct SQLIndexPlan {
    private let info: UnsafeMutablePointer<sqlite3_index_info>

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
        self.info = info
    }

    /// A term of the statement's WHERE clause that applies to the table.
    public struct Constraint: Hashable, Sendable {
        /// The index of the column on the left side, -1 for the rowid; undefined for `.limit` and
        /// `.offset`.
        public let column: Int
        /// The operator.
        public let comparison: SQLIndexComparison
        /// Whether the value on the right side is known in this plan.
        public let isUsable: Bool
        let index: Int
    }

    /// A term of the statement's ORDER BY clause.
    public struct Order: Hashable, Sendable {
        /// The index of the column, -1 for the rowid.
        public let column: Int
        /// Whether the order is descending.
        public let isDescending: Bool
    }

    /// The terms of the WHERE clause.
    public var constraints: [Constraint] {
        UnsafeBufferPointer(start: info.pointee.aConstraint, count: Int(info.pointee.nConstraint))
            .enumerated().map {
                Constraint(
                    column: Int($1.iColumn), comparison: SQLIndexComparison(rawValue: $1.op),
                    isUsable: $1.usable != 0, index: $0)
            }
    }

    /// The terms of the ORDER BY clause; empty if the table cannot sort for the statement.
    public var order: [Order] {
        UnsafeBufferPointer(start: info.pointee.aOrderBy, count: Int(info.pointee.nOrderBy)).map {
            Order(column: Int($0.iColumn), isDescending: $0.desc != 0)
        }
    }

    /// The purpose of the order: 0 for ORDER BY, 1 for GROUP BY, 2 for DISTINCT, 3 for both ORDER
    /// BY and DISTINCT. `sqlite3_vtab_distinct`
    public var distinct: Int { Int(shim_vtab_distinct(info)) }

    /// The columns that the statement reads, one bit for each; the highest bit stands for all
    /// columns from 63 on.
    public var columnsUsed: UInt64 { info.pointee.colUsed }
}

extension SQLIndexPlan {
    /// Passes the value of a constraint to `filter`.
    ///
    /// - Parameters:
    ///   - constraint: The constraint.
    ///   - position: The index of the argument of `filter`, from 0, without gaps.
    ///   - isExact: Whether the table returns only rows that satisfy the constraint, so that SQLite
    ///     does not need to check them.
    public func pass(_ constraint: Constraint, at position: Int, isExact: Bool = false) {
        guard (0..<Int(info.pointee.nConstraint)).contains(constraint.index) else { return }
        let usage = info.pointee.aConstraintUsage + constraint.index
        usage.pointee.argvIndex = Int32(clamping: position &+ 1)
        usage.pointee.omit = isExact ? 1 : 0
    }

    /// A number that is passed to `filter`.
    public var number: Int {
        get { Int(info.pointee.idxNum) }
        nonmutating set { info.pointee.idxNum = Int32(truncatingIfNeeded: newValue) }
    }

    /// Sets a string that is passed to `filter`; it ends at its first NUL.
    public func setText(_ text: String) {
        if info.pointee.needToFreeIdxStr != 0 { sqlite3_free(info.pointee.idxStr) }
        info.pointee.idxStr = sqliteCopy(of: text)
        info.pointee.needToFreeIdxStr = 1
    }

    /// The estimated cost, roughly in disk reads; SQLite chooses the cheapest plan.
    public var cost: Double {
        get { info.pointee.estimatedCost }
        nonmutating set { info.pointee.estimatedCost = newValue }
    }

    /// The estimated number of rows.
    public var rows: Int64 {
        get { info.pointee.estimatedRows }
        nonmutating set { info.pointee.estimatedRows = newValue }
    }

    /// Whether the table returns the rows in the order of `order`, so that SQLite does not sort.
    public var isOrdered: Bool {
        get { info.pointee.orderByConsumed != 0 }
        nonmutating set { info.pointee.orderByConsumed = newValue ? 1 : 0 }
    }

    /// Declares that the scan returns at most one row. `SQLITE_INDEX_SCAN_UNIQUE`
    public func setUnique() {
        info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE
    }
}

/// The operator of a constraint. `SQLITE_INDEX_CONSTRAINT_…`
public struct SQLIndexComparison: RawRepresentable, Hashable, Sendable {
    /// SQLite's number, which can be unknown; from 150 on they are functions of the table.
    public let rawValue: UInt8

    /// Wraps SQLite's number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `=`
    public static let equal = SQLIndexComparison(rawValue: 2)
    /// `>`
    public static let greater = SQLIndexComparison(rawValue: 4)
    /// `<=`
    public static let lessOrEqual = SQLIndexComparison(rawValue: 8)
    /// `<`
    public static let less = SQLIndexComparison(rawValue: 16)
    /// `>=`
    public static let greaterOrEqual = SQLIndexComparison(rawValue: 32)
    /// `MATCH`
    public static let match = SQLIndexComparison(rawValue: 64)
    /// `LIKE`
    public static let like = SQLIndexComparison(rawValue: 65)
    /// `GLOB`
    public static let glob = SQLIndexComparison(rawValue: 66)
    /// `REGEXP`
    public static let regexp = SQLIndexComparison(rawValue: 67)
    /// `IS NULL`
    public static let isNull = SQLIndexComparison(rawValue: 71)
    /// `IS`
    public static let `is` = SQLIndexComparison(rawValue: 72)
    /// `LIMIT`
    public static let limit = SQLIndexComparison(rawValue: 73)
    /// `OFFSET`
    public static let offset = SQLIndexComparison(rawValue: 74)
}

/// Copies a string to memory that SQLite frees.
func sqliteCopy(of text: String) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
    let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count)
    for (offset, byte) in bytes.enumerated() { (copy + offset).initialize(to: byte) }
    return copy
}
