import DocumentStore
import PostgresReplication
import Replication

/// The items to buy: a document each, whose ID is the name and whose property is the amount.
struct ShoppingList: Sendable {
    let file: DataFile
    let query: Query
    private let items = DocumentCollection(.default)

    init(path: String) throws {
        file = try DataFile(path: path, options: DataFileOptions(access: .create))
        query = try Query("SELECT META().id, amount FROM _ ORDER BY META().id")
    }

    /// Adds an amount to that of an item.
    func add(_ amount: Int, of item: String) async throws {
        try await file.write { [items] transaction in
            let before = try items.get(item, in: transaction)?["amount"]?.int ?? 0
            _ = try items.save(item, in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.write("amount", before + Int64(amount))
                try encoder.endDictionary()
            }
        }
    }

    /// The items and their amounts.
    func lines() async throws -> [String] {
        try await file.read { [query] in try query.rows(in: $0).all().map(Self.line) }
    }

    static func line(_ row: ResultRow) -> String {
        "\(row["id"].string ?? "") \(row["amount"].int ?? 0)"
    }

    /// Replicates the list with a server, whose tables are created if they do not exist.
    func replicator(_ url: String) async throws -> Replicator {
        let endpoint = try PostgresEndpoint(url)
        try await endpoint.prepare()
        let settings = ReplicatedCollection(items, resolver: Self.adding)
        return Replicator(file, to: endpoint, collections: [settings])
    }

    /// Two people who each added something want both: the amount of one, and what the other added
    /// since the revision that both had.
    private static let adding = ConflictResolver.custom { mine, theirs, ancestor in
        guard let other = theirs.properties?["amount"]?.int else { return .keepCurrent }
        let before = ancestor?["amount"]?.int ?? 0
        return .merge(["amount": .int((mine["amount"]?.int ?? 0) + other - before)])
    }
}
