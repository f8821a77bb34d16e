import CSQLite

/// What a statement wants of a virtual table, and how the table means to do it.
/// `sqlite3_index_info`
///
/// Valid during `SQLVirtualTable.plan(_:)` only.
public struct SQLIndexPlan {
    private let info: UnsafeMutablePointer<sqlite3_index_info>

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
        self.info = info
    }

    /// A term of the statement's WHERE that concerns the table.
    public struct Constraint: Hashable, Sendable {
        /// The column on its left side, -1 for the row's number; meaningless for `.limit` and
        /// `.offset`.
        public let column: Int
        /// How it compares.
        public let comparison: SQLIndexComparison
        /// Whether its right side is known in this plan.
        public let isUsable: Bool
        let index: Int
    }

    /// A term of the statement's ORDER BY.
    public struct Order: Hashable, Sendable {
        /// The column, -1 for the row's number.
        public let column: Int
        /// Whether larger values come first.
        public let isDescending: Bool
    }

    /// The terms of WHERE.
    public var constraints: [Constraint] {
        UnsafeBufferPointer(start: info.pointee.aConstraint, count: Int(info.pointee.nConstraint))
            .enumerated().map {
                Constraint(
                    column: Int($1.iColumn), comparison: SQLIndexComparison(rawValue: $1.op),
                    isUsable: $1.usable != 0, index: $0)
            }
    }

    /// The terms of ORDER BY, if the table could do the sorting.
    public var order: [Order] {
        UnsafeBufferPointer(start: info.pointee.aOrderBy, count: Int(info.pointee.nOrderBy)).map {
            Order(column: Int($0.iColumn), isDescending: $0.desc != 0)
        }
    }

    /// What the order is for: 0 for ORDER BY, 1 for GROUP BY, 2 for DISTINCT, 3 for both ORDER BY
    /// and DISTINCT. `sqlite3_vtab_distinct`
    public var distinct: Int { Int(shim_vtab_distinct(info)) }

    /// The columns that the statement reads, a bit for each; the highest stands for all from 63 on.
    public var columnsUsed: UInt64 { info.pointee.colUsed }
}

extension SQLIndexPlan {
    /// Hands the right side of a constraint to `filter`, as its argument `position`, from 0.
    ///
    /// Positions must be filled without gaps. With `isExact` the table gives no row that breaks the
    /// constraint, and SQLite need not check.
    public func pass(_ constraint: Constraint, at position: Int, isExact: Bool = false) {
        guard (0..<Int(info.pointee.nConstraint)).contains(constraint.index) else { return }
        let usage = info.pointee.aConstraintUsage + constraint.index
        usage.pointee.argvIndex = Int32(clamping: position &+ 1)
        usage.pointee.omit = isExact ? 1 : 0
    }

    /// A number for `filter`.
    public var number: Int {
        get { Int(info.pointee.idxNum) }
        nonmutating set { info.pointee.idxNum = Int32(truncatingIfNeeded: newValue) }
    }

    /// Sets a text for `filter`; it ends at its first NUL.
    public func setText(_ text: String) {
        if info.pointee.needToFreeIdxStr != 0 { sqlite3_free(info.pointee.idxStr) }
        info.pointee.idxStr = sqliteCopy(of: text)
        info.pointee.needToFreeIdxStr = 1
    }

    /// What it costs, in reads of a disk, or so: the cheapest plan is taken.
    public var cost: Double {
        get { info.pointee.estimatedCost }
        nonmutating set { info.pointee.estimatedCost = newValue }
    }

    /// About how many rows there will be.
    public var rows: Int64 {
        get { info.pointee.estimatedRows }
        nonmutating set { info.pointee.estimatedRows = newValue }
    }

    /// Whether the rows come in the order of `order`, so that SQLite need not sort.
    public var isOrdered: Bool {
        get { info.pointee.orderByConsumed != 0 }
        nonmutating set { info.pointee.orderByConsumed = newValue ? 1 : 0 }
    }

    /// There is one row at most. `SQLITE_INDEX_SCAN_UNIQUE`
    public func setUnique() {
        info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE
    }
}

/// How a constraint compares: SQLite's number for it. `SQLITE_INDEX_CONSTRAINT_…`
public struct SQLIndexComparison: RawRepresentable, Hashable, Sendable {
    /// SQLite's number; unknown ones are kept, and from 150 on they are functions of the table.
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

/// A C string in memory of SQLite's, which frees it.
func sqliteCopy(of text: String) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
    let copy = memory.bindMemory(to: CChar.self, capacity: bytes.count)
    for (offset, byte) in bytes.enumerated() { (copy + offset).initialize(to: byte) }
    return copy
}
