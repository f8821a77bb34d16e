import DocumentStore

/// The queries in SQL++ over documents of this project, each compiled once.
final class CustomerDocuments: CustomerDatabase {
    private let file: DataFile
    private let queries: [CustomerQuery: Query]

    init(_ directory: String) throws {
        file = try DataFile.standard(directory, .normal)
        queries = try Dictionary(
            uniqueKeysWithValues: CustomerQuery.allCases.map { ($0, try Query($0.sqlPlusPlus)) })
    }

    func close() { file.close() }

    private static let indexes: [IndexSpec] = [
        .value("byZip", on: "address.zip"),
        .value("byPreviousZip", on: "address.prev_address.zip"),
        .value("byCountry", on: "address.country, age_group, DATE_PART_STR(dob, 'year')"),
        .value("byDevices", on: "devices"), .array("byDevice", path: "devices"),
        .array("byCity", path: "visited_places[].cities"),
        .array("byChild", path: "children", on: "age"),
    ]

    /// Creates and fills the file of a directory.
    static func create(_ directory: String, _ data: CustomerData) throws {
        let file = try DataFile.standard(directory, .normal)
        defer { file.close() }
        let customers = DocumentCollection(try CollectionName("customers"))
        let orders = DocumentCollection(try CollectionName("orders"))
        try file.write { transaction in
            try save(data.customers, to: customers, id: CustomerData.customerID, transaction)
            try save(data.orders, to: orders, id: CustomerData.orderID, transaction)
            for index in indexes { try customers.createIndex(index, in: transaction) }
        }
    }

    private static func save(
        _ values: [some Encodable], to collection: DocumentCollection, id: (Int) -> String,
        _ transaction: Transaction
    ) throws {
        try collection.keyStore.create(in: transaction)
        for (number, value) in values.enumerated() {
            let json = try CustomerData.json(value)
            _ = try collection.save(id(number), in: transaction) { try $0.writeJSON(json) }
        }
    }

    func rows(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> [[String]] {
        var result: [[String]] = []
        try forEachRow(query, arguments) { row in
            result.append((0..<row.count).map { Self.text(row[$0]) })
        }
        return result
    }

    func sum(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> CustomerSum {
        var sum = CustomerSum()
        try forEachRow(query, arguments) { row in
            sum.rows += 1
            for column in 0..<row.count { sum.sum += Self.number(row[column]) }
        }
        return sum
    }

    private func forEachRow(
        _ name: CustomerQuery, _ arguments: [CustomerArgument], _ use: (ResultRow) -> Void
    ) throws {
        guard let query = queries[name] else { return }
        let values = zip(CustomerQuery.parameters, arguments.map(Self.value))
        let parameters = QueryParameters(Dictionary(uniqueKeysWithValues: Array(values)))
        try file.read { snapshot in
            let rows = try query.rows(in: snapshot, parameters)
            while let row = try rows.next() { use(row) }
        }
    }

    private static func value(_ argument: CustomerArgument) -> QueryValue {
        switch argument {
        case .string(let string): .string(string)
        case .number(let number): .integer(Int64(number))
        case .strings(let strings): (try? QueryValue(encoding: strings)) ?? .missing
        }
    }

    private static func text(_ value: QueryValue) -> String {
        value.string ?? value.int.map { String($0) } ?? ""
    }

    private static func number(_ value: QueryValue) -> Int {
        switch value {
        case .integer(let number): Int(number)
        case .string(let text): text.utf8.count
        default: Int(value.int ?? 0)
        }
    }
}
