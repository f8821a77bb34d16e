import CSQLite

/// The constraints and the order that a statement requires of a virtual table, and the table's plan
/// to provide them. `sqlite3_index_info`
///
/// A table looks for constraints that it can use, passes their values to the cursor, and estimates
/// the cost. SQLite can ask for several plans of one statement, with different constraints marked
/// as usable, and chooses the cheapest.
///
/// ```swift
/// struct Index {
///     static func choose(_ plan: SQLIndexPlan, rowCount: Int) {
///         let key = plan.constraints.first {
///             $0.column == 0 && $0.comparison == .equal && $0.isUsable
///         }
///         if let key {
///             plan.pass(key, at: 0, isExact: true)
///             plan.number = 1
///             plan.cost = 10
///             plan.rows = 1
///             plan.setUnique()
///         } else {
///             plan.cost = Double(rowCount)
///             plan.rows = Int64(rowCount)
///             plan.isOrdered = plan.order.allSatisfy {
///                 $0.column == -1 && !$0.isDescending
///             }
///         }
///     }
/// }
/// ```
/// The cursor then receives the number 1 and the value of the key in
/// ``SQLTableCursor/filter(plan:text:_:)``.
///
/// It is valid during ``SQLVirtualTable/plan(_:)`` only.
public struct SQLIndexPlan {
    private let info: UnsafeMutablePointer<sqlite3_index_info>

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
        self.info = info
    }

    /// A term of the statement's WHERE clause that applies to the table: a column, an operator and
    /// a value.
    ///
    /// Terms that are combined with OR, and expressions over a column, are not constraints; SQLite
    /// evaluates them itself.
    public struct Constraint: Hashable, Sendable {
        /// The index of the column on the left side, -1 for the rowid; undefined for `.limit` and
        /// `.offset`.
        public let column: Int
        /// The operator, such as ``SQLIndexComparison/equal``. Ignore the ones that the table does
        /// not know.
        public let comparison: SQLIndexComparison
        /// Whether the value on the right side is known in this plan. False if it comes from a
        /// table that is read later in the join; such a constraint must not be passed.
        public let isUsable: Bool
        let index: Int
    }

    /// A term of the statement's ORDER BY clause: a column and a direction.
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
    ///
    /// If the table returns its rows in this order, set ``isOrdered``, so that SQLite does not sort
    /// them.
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
    ///
    /// ```swift
    /// func readsBody(_ plan: SQLIndexPlan) -> Bool {
    ///     plan.columnsUsed & (1 << 2) != 0  // whether column 2 is needed
    /// }
    /// ```
    public var columnsUsed: UInt64 { info.pointee.colUsed }
}

extension SQLIndexPlan {
    /// Passes the value of a constraint to `filter`.
    ///
    /// A constraint that is not passed is evaluated by SQLite for each row, and so is one that is
    /// passed without `isExact`. It is therefore correct for a table to return more rows than the
    /// constraint permits.
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
    ///
    /// It has 32 bits. It encodes the choice of the plan, such as the index that the cursor uses; 0
    /// by default.
    public var number: Int {
        get { Int(info.pointee.idxNum) }
        nonmutating set { info.pointee.idxNum = Int32(truncatingIfNeeded: newValue) }
    }

    /// Sets a string that is passed to `filter`; it ends at its first NUL.
    ///
    /// It reaches the cursor as the parameter `text`, for example to encode a list of columns. A
    /// second call replaces it.
    public func setText(_ text: String) {
        if info.pointee.needToFreeIdxStr != 0 { sqlite3_free(info.pointee.idxStr) }
        info.pointee.idxStr = sqliteCopy(of: text)
        info.pointee.needToFreeIdxStr = 1
    }

    /// The estimated cost, roughly in disk reads; SQLite chooses the cheapest plan.
    ///
    /// The default is very high, so set it for every plan. The unit is arbitrary, but should grow
    /// with the number of rows that are read.
    public var cost: Double {
        get { info.pointee.estimatedCost }
        nonmutating set { info.pointee.estimatedCost = newValue }
    }

    /// The estimated number of rows that the scan returns (default: 25). It influences the order of
    /// the tables in a join.
    public var rows: Int64 {
        get { info.pointee.estimatedRows }
        nonmutating set { info.pointee.estimatedRows = newValue }
    }

    /// Whether the table returns the rows in the order of ``order``, so that SQLite does not sort
    /// (default: false). If it is set and the rows are in another order, the statement returns them
    /// in the wrong order.
    public var isOrdered: Bool {
        get { info.pointee.orderByConsumed != 0 }
        nonmutating set { info.pointee.orderByConsumed = newValue ? 1 : 0 }
    }

    /// Declares that the scan returns at most one row. `SQLITE_INDEX_SCAN_UNIQUE`
    ///
    /// It permits SQLite to use a faster plan for updates and joins.
    public func setUnique() {
        info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE
    }
}

/// The operator of a constraint. `SQLITE_INDEX_CONSTRAINT_…`
///
/// Operators that are not listed here have a number in ``rawValue``; `<>` is 68.
public struct SQLIndexComparison: RawRepresentable, Hashable, Sendable {
    /// SQLite's number, which can be unknown; from 150 on they are functions of the table.
    public let rawValue: UInt8

    /// Wraps SQLite's number.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `=`. SQLite also passes each element of an `IN` list as an equality, one scan after the
    /// other.
    public static let equal = SQLIndexComparison(rawValue: 2)
    /// `>`, with the column on the left side; SQLite swaps the operands if necessary.
    public static let greater = SQLIndexComparison(rawValue: 4)
    /// `<=`
    public static let lessOrEqual = SQLIndexComparison(rawValue: 8)
    /// `<`, with the column on the left side; SQLite swaps the operands if necessary.
    public static let less = SQLIndexComparison(rawValue: 16)
    /// `>=`
    public static let greaterOrEqual = SQLIndexComparison(rawValue: 32)
    /// `MATCH`, which only a virtual table can evaluate: SQLite fails if the table does not use it.
    public static let match = SQLIndexComparison(rawValue: 64)
    /// `LIKE`, with the pattern as its value. Letter case is that of SQLite's function.
    public static let like = SQLIndexComparison(rawValue: 65)
    /// `GLOB`
    public static let glob = SQLIndexComparison(rawValue: 66)
    /// `REGEXP`
    public static let regexp = SQLIndexComparison(rawValue: 67)
    /// `IS NULL`
    public static let isNull = SQLIndexComparison(rawValue: 71)
    /// `IS`: like `=`, but `NULL` is equal to `NULL`.
    public static let `is` = SQLIndexComparison(rawValue: 72)
    /// `LIMIT`, since SQLite 3.38. Pass it only if the scan returns exactly the rows of the
    /// statement, in its order.
    public static let limit = SQLIndexComparison(rawValue: 73)
    /// `OFFSET`, since SQLite 3.38. If it is passed as exact, the cursor skips the rows itself.
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
