internal import SQLCore
internal import StoreFormat

/// Reads the rows of a table in the order of their rowids, skipping those that a damaged page
/// makes unreadable.
struct TableScan {
    /// The columns of the rows.
    enum Column {
        static let rowid = 0
        static let key = 1
        static let sequence = 2
        static let flags = 3
        static let version = 4
        static let body = 5
        static let expiration = 6
        static let extra = 7
        static let names = [
            "key", "sequence", "flags", "version", "body", "expiration", "extra",
        ]
    }

    /// A range of unreadable rows.
    struct Damage {
        let message: String
        /// The key, if the range is a single row whose key is readable.
        let key: String?
    }

    let context: SQLContext
    let table: StoreTable
    /// The number of damaged ranges after which the scan ends.
    private static let maximumDamages = 1000

    private var source: String { "FROM main.\(table.name.sqlName) NOT INDEXED" }

    private func select(_ condition: String) throws -> SQLStatement {
        let columns = Column.names.map { table.columns.contains($0) ? $0 : "NULL" }
        return try context.prepare(
            sql: "SELECT rowid, \(columns.joined(separator: ", ")) \(source) WHERE \(condition)")
    }

    /// Passes each row to `body`, and reports unreadable ranges to `damage`.
    func forEachRow(
        _ body: (SQLStatement) throws -> Void, damage: (Damage) -> Void
    ) throws {
        let rows = try select("rowid >= ?1 ORDER BY rowid")
        var damages = 0
        var next: Int64? = .min
        while next != nil {
            guard let reason = try read(rows, from: &next, body), let position = next else {
                return
            }
            damages += 1
            guard damages < Self.maximumDamages else {
                return damage(
                    Damage(message: "more than \(damages) ranges cannot be read", key: nil))
            }
            next = try resume(at: position, after: reason, damage)
        }
    }

    /// Reads up to the end, where `next` becomes nil, or up to an unreadable row, and returns the
    /// reason then.
    private func read(
        _ rows: SQLStatement, from next: inout Int64?, _ body: (SQLStatement) throws -> Void
    ) throws -> String? {
        var position = next ?? .min
        rows.reset()
        try rows.bind(position, at: 1)
        while true {
            do {
                guard try rows.next() else {
                    next = nil
                    return nil
                }
            } catch let error as SQLError where error.isDamage {
                next = position
                return error.message
            }
            let rowid = rows.long(at: Column.rowid)
            guard rowid >= position else {
                next = position
                return Self.disorder
            }
            try body(rows)
            guard rowid < .max else {
                next = nil
                return nil
            }
            position = rowid + 1
        }
    }

    private static let disorder = "its rows are out of order"
}

// Finding the next readable row.
extension TableScan {
    private enum Probe {
        case row(Int64)
        case end
        case unreadable
    }

    /// Finds out what the first row from a rowid on is, without reading its content.
    private func probe(_ position: Int64) throws -> Probe {
        do {
            let rowid = try context.first(
                "SELECT rowid \(source) WHERE rowid >= ? ORDER BY rowid LIMIT 1", [.long(position)]
            ) { $0.long(at: 0) }
            guard let rowid else { return .end }
            return rowid >= position ? .row(rowid) : .unreadable
        } catch let error as SQLError where error.isDamage {
            return .unreadable
        }
    }

    /// The rowid at which to continue; nil if no further row is readable.
    private func resume(
        at position: Int64, after reason: String, _ damage: (Damage) -> Void
    ) throws -> Int64? {
        if reason != Self.disorder, case .row(let rowid) = try probe(position) {
            // The rowid is readable, but not the content.
            damage(Damage(message: "row \(rowid): \(reason)", key: try key(of: rowid)))
            return rowid < .max ? rowid + 1 : nil
        }
        let next = try search(after: position)
        let end = next.map { "to \($0 - 1)" } ?? "to the end of the table"
        let range = "from rowid \(max(position, 0)) \(end)"
        damage(Damage(message: "the rows \(range) cannot be read: \(reason)", key: nil))
        return next
    }

    /// The first readable row after a rowid, found by doubling steps.
    private func search(after position: Int64) throws -> Int64? {
        var low = position
        var step: Int64 = 1
        // Rowids below 1 are rare.
        let base = max(position, 0)
        while true {
            let (high, isOver) = base.addingReportingOverflow(step)
            if isOver { return nil }
            switch try probe(high) {
            case .unreadable:
                low = high
                let (double, isTooFar) = step.multipliedReportingOverflow(by: 2)
                if isTooFar { return nil }
                step = double
            case .end, .row: return try bisect(low, high)
            }
        }
    }

    /// The first readable row between an unreadable rowid and a readable one.
    private func bisect(_ low: Int64, _ high: Int64) throws -> Int64? {
        var low = low
        var high = high
        while true {
            let distance = UInt64(bitPattern: high) &- UInt64(bitPattern: low)
            guard distance > 1 else { break }
            let middle = low &+ Int64(bitPattern: distance / 2)
            if case .unreadable = try probe(middle) { low = middle } else { high = middle }
        }
        if case .row(let rowid) = try probe(high) { return rowid }
        return nil
    }

    private func key(of rowid: Int64) throws -> String? {
        do {
            return try context.first("SELECT key \(source) WHERE rowid = ?", [.long(rowid)]) {
                $0.text(at: 0) ?? ""
            }
        } catch let error as SQLError where error.isDamage {
            return nil
        }
    }
}

// A sample of the rows.
extension TableScan {
    /// Passes approximately this number of rows to `body`, evenly distributed by rowid.
    func forEachRow(
        ofAbout count: Int, _ body: (SQLStatement) throws -> Void, damage: (Damage) -> Void
    ) throws {
        let bounds = try context.first(
            "SELECT (SELECT min(rowid) \(source)), (SELECT max(rowid) \(source))"
        ) { $0.isNull(at: 0) ? nil : (first: $0.long(at: 0), last: $0.long(at: 1)) }
        guard let bounds = bounds ?? nil, bounds.first <= bounds.last else { return }
        let span = UInt64(bitPattern: bounds.last) &- UInt64(bitPattern: bounds.first)
        let step = Int64(clamping: span / UInt64(max(count, 1)) + 1)
        let rows = try select("rowid >= ?1 ORDER BY rowid LIMIT 1")
        var position = bounds.first
        while true {
            rows.reset()
            try rows.bind(position, at: 1)
            do {
                guard try rows.next() else { return }
                let rowid = rows.long(at: Column.rowid)
                guard rowid >= position else { return }
                position = rowid
            } catch let error as SQLError where error.isDamage {
                damage(Damage(message: "near row \(position): \(error.message)", key: nil))
                let (next, isOver) = position.addingReportingOverflow(step)
                if isOver || next > bounds.last { return }
                position = next
                continue
            }
            try body(rows)
            let (next, isOver) = position.addingReportingOverflow(step)
            if isOver || next > bounds.last { return }
            position = next
        }
    }
}
