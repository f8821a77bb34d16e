internal import DocumentStore

/// Takes what a database of OONI Probe holds into a store, in one transaction.
struct ProbeImporter {
    let store: Collections
    let database: ProbeDatabase
    let transaction: Transaction
    private let progress: (OONIStore.ImportReport.Progress) throws -> Void
    private(set) var report = OONIStore.ImportReport()

    // What the rows of the database have become, by their numbers there.
    var revisions: [String: Int] = [:]
    var networks: [Int64: OONIStore.Network.ID] = [:]
    var urls: [Int64: String] = [:]
    /// Places in `results`.
    var places: [Int64: Int] = [:]
    /// Written once their measurements are counted.
    var results: [OONIStore.TestResult] = []

    init(
        store: Collections, database: ProbeDatabase,
        progress: @escaping (OONIStore.ImportReport.Progress) throws -> Void,
        in transaction: Transaction
    ) throws {
        (self.store, self.database) = (store, database)
        (self.progress, self.transaction) = (progress, transaction)
        report.version = database.version
    }

    mutating func run() throws -> OONIStore.ImportReport {
        try importDescriptors()
        try importNetworks()
        try importUrls()
        try readResults()
        try importMeasurements()
        for result in results {
            try OONIStore.Results(store: store).put(result, in: transaction)
        }
        try importArticles()
        return report
    }

    /// Walks through a table and says how far it is.
    mutating func forEach<Columns: ProbeColumns>(
        _ type: Columns.Type, _ body: (inout Self, ProbeRow<Columns>) throws -> Void
    ) throws {
        let total = try database.count(Columns.table)
        report.rows[Columns.table] = total
        var count = 0
        try progress(.init(table: Columns.table, rows: count, total: total))
        try database.forEach(type) { row in
            try body(&self, row)
            count += 1
            if count % 1_000 == 0 || count == total {
                try progress(.init(table: Columns.table, rows: count, total: total))
            }
        }
    }

    /// The same for a table whose rows have numbers.
    mutating func forEachNumber<Columns: ProbeColumns>(
        _ type: Columns.Type, _ id: Columns,
        _ body: (inout Self, Int64, ProbeRow<Columns>) throws -> Void
    ) throws {
        var last: Int64?
        try forEach(type) { importer, row in
            guard let number = row.long(id) else {
                return importer.leaveOut(Columns.table, "?", "it has no number")
            }
            // A primary key does not let this happen, but the table may have none, or be damaged.
            guard last.map({ number > $0 }) ?? true else {
                return importer.leaveOut(
                    Columns.table, "\(number)", "a row before it has that number or a higher one")
            }
            last = number
            try body(&importer, number, row)
            importer.noteUnreadable("\(number)", row)
        }
    }

    /// Notes which columns of a row say nothing that can be used, unless the row is left out.
    mutating func noteUnreadable<Columns: ProbeColumns>(
        _ name: String, _ row: ProbeRow<Columns>
    ) {
        if let last = report.problems.last, last.isLeftOut, last.table == Columns.table,
            last.row == name
        {
            return
        }
        for column in row.unreadable.columns {
            note(Columns.table, name, "\(column) cannot be read, and counts as NULL")
        }
    }

    /// The numbers for the rows of a table.
    func numbers(
        _ kind: Identifiers.Kind, _ table: OONIStore.ImportReport.Table
    ) throws -> ImportedNumbers {
        ImportedNumbers(
            after: try store.identifiers.last(kind, in: transaction),
            highest: try database.highest(table, below: ImportedNumbers.bound))
    }

    mutating func leaveOut(
        _ table: OONIStore.ImportReport.Table, _ row: String, _ reason: String
    ) {
        report.leaveOut(table, row, reason)
    }

    mutating func note(
        _ table: OONIStore.ImportReport.Table, _ row: String, _ reason: String
    ) {
        report.note(table, row, reason)
    }

    mutating func noteNumber(_ number: Int64, _ result: OONIStore.TestResult.ID) {
        if result.number != number { report.renumberedResults[number] = result }
    }

    mutating func noteNumber(_ number: Int64, _ measurement: OONIStore.Measurement.ID) {
        if measurement.number != number { report.renumberedMeasurements[number] = measurement }
    }
}
