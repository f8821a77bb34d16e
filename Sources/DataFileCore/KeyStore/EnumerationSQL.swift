internal import SQLCore
internal import StoreFormat

/// The SELECT of an enumeration. The bounds are parameters, so that the statement can be cached.
struct EnumerationSQL {
    /// The SQL.
    let text: String
    /// The values of its parameters, in order.
    let parameters: [SQLValue]

    /// - Parameters:
    ///   - hasIndex: whether a table has an index of a kind.
    ///   - mayHaveLiveTombstones: whether the live table may contain tombstones.
    ///   - bound: the end of the enumeration in a transaction, which may write meanwhile.
    init(
        _ tables: StoreTables, _ options: RecordEnumerator.Options,
        mayHaveLiveTombstones: Bool, bound: Bound?,
        hasIndex: (LazyIndex, _ isTombstone: Bool) throws -> Bool
    ) throws {
        let bounds = Self.bounds(options, bound)
        var fixed = bounds.terms
        if options.conflictedOnly { fixed.append("(flags & 2) != 0") }
        if options.withAttachmentsOnly { fixed.append("(flags & 4) != 0") }
        func select(_ table: StoreTables.Table, _ isTombstone: Bool) throws -> String {
            var terms = fixed
            if !isTombstone, !options.includesDeleted, mayHaveLiveTombstones {
                terms.append("(ifnull(flags, 0) & 1) = 0")
            }
            let index = try Self.index(options, table, isTombstone, hasIndex)
            return """
                SELECT \(RecordColumns.list(table, options.content)), \(isTombstone ? 1 : 0) \
                FROM \(table.name)\(index)\(terms.isEmpty ? "" : " WHERE ")\
                \(terms.joined(separator: " AND "))
                """
        }
        var sql = try select(tables.live, false)
        if options.includesDeleted, let tombstones = tables.tombstones {
            sql += " UNION ALL " + (try select(tombstones, true))
        }
        if let column = options.order.column {
            sql += " ORDER BY \(column)\(options.descending ? " DESC" : "")"
        }
        text = sql + " LIMIT ?\(bounds.values.count + 1)"
        let limit = options.limit.map { Int64(max($0, 0)) } ?? -1
        parameters = bounds.values + [.long(limit)]
    }

    /// The highest number that a row has when the enumeration begins. Rows written later have
    /// higher numbers, so an enumeration whose body writes a record for each record terminates.
    struct Bound {
        /// Whether the number is a sequence; it is a rowid in a raw store, which has no sequences.
        let isSequence: Bool
        let last: Int64

        init(_ store: KeyStore, _ tables: StoreTables, in transaction: Transaction) throws {
            isSequence = store.name.isCollection
            if isSequence {
                last = try store.lastSequence(in: transaction)
            } else {
                let sql = "SELECT max(rowid) FROM \(tables.live.name)"
                last = try transaction.connection().first(sql) { $0.long(at: 0) } ?? 0
            }
        }
    }

    private static func bounds(
        _ options: RecordEnumerator.Options, _ bound: Bound?
    ) -> (terms: [String], values: [SQLValue]) {
        var terms: [String] = []
        var values: [SQLValue] = []
        let add = { (term: String, value: SQLValue) in
            values.append(value)
            terms.append("\(term) ?\(values.count)")
        }
        // The bounds are given in the order of the enumeration: descending, it starts at the high
        // end.
        let (low, high) =
            options.descending
            ? (options.endKey, options.startKey) : (options.startKey, options.endKey)
        if let low { add("key >=", .text(low)) }
        if let high { add("key <=", .text(high)) }
        let lastSequence = bound?.isSequence == true ? bound?.last : nil
        if let sequences = options.sequences {
            add("sequence >=", .long(sequences.lowerBound))
            add("sequence <=", .long(min(sequences.upperBound, lastSequence ?? .max)))
        } else if options.order == .sequence {
            // A condition on the column itself, which lets the index on sequences end the scan.
            add("sequence <=", .long(lastSequence ?? .max))
        } else if lastSequence != nil, let bound {
            add("ifnull(sequence, 0) <=", .long(bound.last))
        }
        if let bound, !bound.isSequence { add("rowid <=", .long(bound.last)) }
        return (terms, values)
    }

    /// An `INDEXED BY` clause: SQLite would use the primary key's index for the order, and scan
    /// every row.
    private static func index(
        _ options: RecordEnumerator.Options, _ table: StoreTables.Table, _ isTombstone: Bool,
        _ hasIndex: (LazyIndex, Bool) throws -> Bool
    ) throws -> String {
        let kind: LazyIndex
        if options.conflictedOnly {
            kind = .conflicts
        } else if options.withAttachmentsOnly {
            kind = .attachments
        } else {
            return ""
        }
        guard try hasIndex(kind, isTombstone) else { return "" }
        return " INDEXED BY \(kind.name(table: table.plainName).sqlName)"
    }
}

extension RecordEnumerator.Order {
    fileprivate var column: String? {
        switch self {
        case .key: "key"
        case .sequence: "sequence"
        case .unsorted: nil
        }
    }
}
