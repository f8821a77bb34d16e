package import DocumentStore

/// Writes changes, one row each.
package struct ChangeRows {
    private var output: RowOutput
    private let hasBodies: Bool
    /// The number of changes that could not be read.
    package private(set) var damaged = 0

    /// The number of changes.
    package var count: Int { output.count }

    package init(_ arguments: OutputArguments, hasBodies: Bool) {
        self.hasBodies = hasBodies
        var columns = [
            Column("collection", "Collection"), Column("sequence", "Sequence", isNumber: true),
            Column("id", "Document", isKey: true), Column("revision", "Revision"),
            Column("flags", "Flags"), Column("deleted", "Deleted"),
            Column("bytes", "Size", isNumber: true), Column("purged", "Purged", isNumber: true),
            Column("time", "Time"),
        ]
        if hasBodies { columns.append(Column("document", "Properties")) }
        output = RowOutput(
            "watch", list: "changes", columns, arguments, empty: "(no changes)")
    }

    /// Writes a change.
    package mutating func add(_ collection: CollectionName, _ change: ChangeFeed.Change) throws {
        let name = Cell.text(collection.description)
        switch change {
        case .document(let record, let body): try add(name, record, body)
        case .damaged(let record, let error):
            report(error)
            try add(name, record, nil)
        case .undecided(let error): report(error)
        case .purged(let count):
            let empty = [Cell](repeating: .none, count: 6)
            try write([name] + empty + [.integer(count), .none], body: .none)
        }
    }

    private mutating func add(_ name: Cell, _ record: Record, _ body: FleeceDocument?) throws {
        let isDeleted = record.flags.contains(.deleted)
        let (revision, time) = revision(record)
        try write(
            [
                name, .integer(record.sequence), .text(record.key), revision,
                .both(Text.flags(record.flags), program: .list(record.flags.names)),
                .both(isDeleted ? "deleted" : "", program: .bool(isDeleted)),
                .bytes(record.bodySize), .none, time,
            ], body: properties(record, body))
    }

    private mutating func write(_ row: [Cell], body: Cell) throws {
        try output.add(hasBodies ? row + [body] : row)
    }

    /// The revision and its timestamp.
    private mutating func revision(_ record: Record) -> (Cell, Cell) {
        do {
            let id = try record.revisionID()
            return (.optional(id?.description), id?.time.map(Cell.date) ?? .none)
        } catch {
            report(
                StoreError(
                    .corruptRevisionData, "document \"\(record.key)\" is damaged: \(error)"))
            return (.both("(damaged)", program: .none), .none)
        }
    }

    private mutating func properties(_ record: Record, _ body: FleeceDocument?) -> Cell {
        guard let body else { return .none }
        do {
            let options = JSONWriter.Options(maximumBytes: Self.budget(forBytes: record.bodySize))
            return .json(JSONText(utf8: try body.root.json(options)))
        } catch {
            report(StoreError(.corruptData, "document \"\(record.key)\" is damaged: \(error)"))
            return .none
        }
    }

    /// The maximum size of a body's JSON: a body that refers to the same values repeatedly can
    /// expand to gigabytes, and there may be many of them.
    private static func budget(forBytes count: Int) -> Int {
        let (bytes, isOver) = count.multipliedReportingOverflow(by: 1024)
        return isOver ? 1 << 26 : min(max(bytes, 1 << 20), 1 << 26)
    }

    private mutating func report(_ error: StoreError) {
        StandardError.current.writeAboutSubject(error.message)
        damaged += 1
    }

    /// Writes buffered rows now.
    package mutating func showNow() throws { try output.showNow() }

    /// Writes the end of the output.
    package mutating func finish() throws { try output.finish() }
}
