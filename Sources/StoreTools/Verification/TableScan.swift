internal import SQLCore
internal import StoreFormat

/// Reads the rows of a table in the order of their numbers, and goes on behind those that a damaged
/// page keeps from being read.
struct TableScan {
    /// The columns of the rows that it gives.
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

    /// Rows that cannot be read.
    struct Damage {
        let message: String
        /// The key of the row, if it is one and its key can be read.
        let key: String?
    }

    let context: SQLContext
    let table: StoreTable
    /// The damages after which it is given up.
    private static let maximumDamages = 1000

    private var source: String { "FROM main.\(table.name.sqlName) NOT INDEXED" }

    private func select(_ condition: String) throws -> SQLStatement {
        let columns = Column.names.map { table.columns.contains($0) ? $0 : "NULL" }
        return try context.prepare(
            sql: "SELECT rowid, \(columns.joined(separator: ", ")) \(source) WHERE \(condition)")
    }

    /// Hands each row to `body`, and tells of what cannot be read.
    func forEachRow(
        _ body: (SQLStatement) throws -> Void, damage: (Damage) -> Void
    ) throws {
        let rows = try select("rowid >= ?1 ORDER BY rowid")
        var damages = 0
        var next: Int64? = .min
        while next != nil {
            guard let reason = try read(rows, from: &next, body), let place = next else { return }
            damages += 1
            guard damages < Self.maximumDamages else {
                return damage(Damage(message: "over \(damages) places cannot be read", key: nil))
            }
            next = try resume(at: place, after: reason, damage)
        }
    }

    /// Reads up to the end, for which `next` becomes nil, or up to what cannot be read, for which
    /// it returns the reason.
    private func read(
        _ rows: SQLStatement, from next: inout Int64?, _ body: (SQLStatement) throws -> Void
    ) throws -> String? {
        var place = next ?? .min
        rows.reset()
        try rows.bind(place, at: 1)
        while true {
            do {
                guard try rows.next() else {
                    next = nil
                    return nil
                }
            } catch let error as SQLError where error.isDamage {
                next = place
                return error.message
            }
            let rowid = rows.long(at: Column.rowid)
            guard rowid >= place else {
                next = place
                return Self.disorder
            }
            try body(rows)
            guard rowid < .max else {
                next = nil
                return nil
            }
            place = rowid + 1
        }
    }

    private static let disorder = "its rows are out of order"
}

// Behind what cannot be read.
extension TableScan {
    private enum Probe {
        case row(Int64)
        case end
        case unreadable
    }

    /// What the first row from a place on is, whose content is not read.
    private func probe(_ place: Int64) throws -> Probe {
        do {
            let rowid = try context.first(
                "SELECT rowid \(source) WHERE rowid >= ? ORDER BY rowid LIMIT 1", [.long(place)]
            ) { $0.long(at: 0) }
            guard let rowid else { return .end }
            return rowid >= place ? .row(rowid) : .unreadable
        } catch let error as SQLError where error.isDamage {
            return .unreadable
        }
    }

    /// Where to go on; nil if there is nothing more that can be read.
    private func resume(
        at place: Int64, after reason: String, _ damage: (Damage) -> Void
    ) throws -> Int64? {
        if reason != Self.disorder, case .row(let rowid) = try probe(place) {
            // Its number can be read, and not what is in it.
            damage(Damage(message: "row \(rowid): \(reason)", key: try key(of: rowid)))
            return rowid < .max ? rowid + 1 : nil
        }
        let next = try search(behind: place)
        let end = next.map { "before row \($0)" } ?? "up to the end"
        damage(Damage(message: "rows from \(max(place, 0)) on, \(end): \(reason)", key: nil))
        return next
    }

    /// The first row behind a place that can be read, found by steps that double.
    private func search(behind place: Int64) throws -> Int64? {
        var low = place
        var step: Int64 = 1
        // Numbers below 1 are hardly ever given.
        let base = max(place, 0)
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

    /// The first row that can be read between a place where that is not so and one where it is.
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

// Some of the rows.
extension TableScan {
    /// Hands about so many rows, evenly spread by their numbers, to `body`.
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
        var place = bounds.first
        while true {
            rows.reset()
            try rows.bind(place, at: 1)
            do {
                guard try rows.next() else { return }
                let rowid = rows.long(at: Column.rowid)
                guard rowid >= place else { return }
                place = rowid
            } catch let error as SQLError where error.isDamage {
                damage(Damage(message: "near row \(place): \(error.message)", key: nil))
                let (next, isOver) = place.addingReportingOverflow(step)
                if isOver || next > bounds.last { return }
                place = next
                continue
            }
            try body(rows)
            let (next, isOver) = place.addingReportingOverflow(step)
            if isOver || next > bounds.last { return }
            place = next
        }
    }
}
