internal import DocumentStore

/// Imports a database of OONI Probe into a store, in one transaction.
struct ProbeImporter {
    let store: Collections
    let database: ProbeDatabase
    let transaction: Transaction
    private let progress: (OONIStore.ImportReport.Progress) throws -> Void
    private(set) var report = OONIStore.ImportReport()

    // The store's values for the rows of the database, by the rows' numbers.
    var revisions: [String: Int] = [:]
    var networks: [Int64: OONIStore.Network.ID] = [:]
    var urls: [Int64: String] = [:]
    /// Indices in `results`, by the numbers of the rows.
    var resultIndices: [Int64: Int] = [:]
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

    /// Iterates over a table and reports progress.
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

    /// Iterates over a table whose rows have numbers.
    mutating func forEachNumber<Columns: ProbeColumns>(
        _ type: Columns.Type, _ id: Columns,
        _ body: (inout Self, Int64, ProbeRow<Columns>) throws -> Void
    ) throws {
        var last: Int64?
        try forEach(type) { importer, row in
            guard let number = row.long(id) else {
                return importer.leaveOut(Columns.table, "?", "it has no number")
            }
            // A primary key excludes this, but the table may not have one, or be damaged.
            guard last.map({ number > $0 }) ?? true else {
                return importer.leaveOut(
                    Columns.table, "\(number)", "a row before it has that number or a higher one")
            }
            last = number
            try body(&importer, number, row)
            importer.noteUnreadable("\(number)", row)
        }
    }

    /// Reports the columns of a row with unusable values, unless the row is left out.
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

    /// The number assignment for the rows of a table.
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

/// Assigns numbers in a store to rows of a database. A number that the store has assigned once,
/// even if its owner was deleted, is not assigned again.
struct ImportedNumbers {
    /// The last number that the store has assigned.
    private let last: Int64
    /// The first number that the database has not assigned.
    private let first: Int64
    private var next: Int64
    /// The highest number that is in use.
    private(set) var highest: Int64

    /// Numbers from here on are replaced, so that a single row cannot exhaust all numbers.
    static let bound: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - last: the highest number that the store has assigned.
    ///   - highest: the highest number, below the bound, that the database has assigned.
    init(after last: Int64, highest: Int64) {
        self.last = last
        self.highest = max(last, highest)
        first = self.highest + 1
        next = first
    }

    /// The number for a row: its own if that is free. In a damaged database a row can have a higher
    /// number than the database has recorded.
    mutating func number(for row: Int64) -> Int64 {
        let isFree = row > last && row > 0 && row < Self.bound && !(first..<next).contains(row)
        guard isFree else {
            highest = next
            next += 1
            return highest
        }
        if row > highest { (highest, next) = (row, row + 1) }
        return row
    }
}

extension ProbeImporter {
    mutating func importNetworks() throws {
        let collection = OONIStore.Networks(store: store)
        var known = Dictionary(
            try collection.all(in: transaction).map { ($0.details.exact, $0.id) },
            uniquingKeysWith: { first, _ in first })
        var numbers = try numbers(.networks, .networks)
        try forEachNumber(ProbeNetwork.self, .id) { importer, number, row in
            let details = OONIStore.NetworkDetails(
                name: row.text(.name), asn: row.text(.asn), countryCode: row.text(.countryCode),
                type: row.text(.type).map { .init(rawValue: $0) })
            if let same = known[details.exact] {
                importer.networks[number] = same
                return
            }
            let network = OONIStore.Network(
                id: try .checked(numbers.number(for: number)), details: details)
            try collection.put(network, in: importer.transaction)
            importer.networks[number] = network.id
            known[details.exact] = network.id
        }
        try store.identifiers.use(numbers.highest, .networks, in: transaction)
    }

    /// Websites are merged before any is written: many rows may have the same address.
    mutating func importUrls() throws {
        let entities = store.urls
        let stored = Dictionary(
            try entities.all(in: transaction).map { (ExactString($0.url), $0) },
            uniquingKeysWith: { first, _ in first })
        var merged: [ExactString: OONIStore.Url] = [:]
        var order: [ExactString] = []
        try forEachNumber(ProbeUrl.self, .id) { importer, number, row in
            guard let address = row.word(.url) else {
                return importer.leaveOut(.urls, "\(number)", "it has no address")
            }
            let url = OONIStore.Url(
                address,
                category: row.word(.category).map { .init(rawValue: $0) } ?? .miscellaneous,
                countryCode: row.text(.countryCode))
            let exact = ExactString(address)
            if let known = merged[exact] ?? stored[exact] {
                merged[exact] = known.merged(with: url)
            } else {
                merged[exact] = url
            }
            if stored[exact] == nil || merged[exact] != stored[exact] { order.append(exact) }
            importer.urls[number] = address
        }
        for address in order {
            guard let url = merged.removeValue(forKey: address) else { continue }
            try entities.put(url, OONIStore.Urls.key(url.url), in: transaction)
        }
    }
}
