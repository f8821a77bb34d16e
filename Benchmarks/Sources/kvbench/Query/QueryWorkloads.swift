import DocumentStore

/// Queries in SQL++, compared with the same ones in SQL through SQLite's C interface, over plain
/// columns.
enum QueryWorkloads {
    static func groups() -> [[Workload]] {
        [
            scan, count, equality, indexedCount, groups(isIndexed: false),
            groups(isIndexed: true), order, documents, elements,
        ] + QueryOverheads.groups()
    }

    static let state: QueryParameters = ["state": .string(QueryFiles.state)]
    private static let ofState = "FROM _ WHERE contact.address.state = $state"
    private static let name: QueryParameters = [
        "last": .string(QueryFiles.last), "age": .integer(Int64(QueryFiles.age)),
    ]
    private static let ofName = "FROM _ WHERE name.last = $last AND age < $age"
    private static let ofPlainName = "FROM plain WHERE last = ? AND age < \(QueryFiles.age)"

    private static var scan: [Workload] {
        let name = "query: scan state = ?"
        let all = BenchmarkQuery(name: name, items: { _ in StoreData.count }) { _ in
            ((try? StoreData.get())?.bodySize ?? 0)
        }
        let some = BenchmarkQuery(
            name: name, items: { _ in StoreData.count }, result: \.wantedKeys)
        return [
            all.baseline(isPlain: false, "SELECT body FROM kv_default") { $0.sum() },
            some.rows(of: "SELECT META().id \(ofState)", state),
        ] + PeerQueries.keysOfState(some)
    }

    private static var count: [Workload] {
        let query = BenchmarkQuery(name: "query: COUNT(*)") { _ in StoreData.count }
        return [
            query.baseline(isPlain: false, "SELECT count(*) FROM kv_default") { $0.sum() },
            query.rows(of: "SELECT COUNT(*) FROM _"),
        ] + PeerQueries.countOfAll(query)
    }

    private static var equality: [Workload] {
        let query = BenchmarkQuery(
            name: "query: indexed equality, 2,200 ids", isIndexed: true, result: \.namedKeys)
        return [
            query.baseline("SELECT key \(ofPlainName)") { $0.sum(QueryFiles.last) },
            query.rows(of: "SELECT META().id \(ofName)", name),
        ] + PeerQueries.keysOfName(query)
    }

    private static var indexedCount: [Workload] {
        let query = BenchmarkQuery(
            name: "query: indexed COUNT of 2,200", isIndexed: true, result: \.named)
        return [
            query.baseline("SELECT count(*) \(ofPlainName)") { $0.sum(QueryFiles.last) },
            query.rows(of: "SELECT COUNT(*) \(ofName)", name),
        ] + PeerQueries.countOfName(query)
    }

    private static func groups(isIndexed: Bool) -> [Workload] {
        let query = BenchmarkQuery(
            name: "query: GROUP BY state \(isIndexed ? "with" : "without") index",
            isIndexed: isIndexed, result: \.states)
        return [
            query.baseline("SELECT state, count(*) FROM plain GROUP BY state") { $0.sum() },
            query.rows(
                of: """
                    SELECT contact.address.state AS state, COUNT(*) FROM _
                    GROUP BY contact.address.state
                    """),
        ] + PeerQueries.groupsOfState(query)
    }

    private static var order: [Workload] {
        let query = BenchmarkQuery(
            name: "query: ORDER BY birthday LIMIT 100 without index", result: \.birthdays)
        return [
            query.baseline("SELECT birthday FROM plain ORDER BY birthday LIMIT 100") { $0.sum() },
            query.rows(of: "SELECT birthday FROM _ ORDER BY birthday LIMIT 100"),
        ] + PeerQueries.birthdays(query)
    }

    private static var documents: [Workload] {
        let query = BenchmarkQuery(
            name: "query: SELECT *, a document read", items: { _ in StoreData.count }
        ) { _ in (try? StoreData.get())?.ageSum ?? 0 }
        return [
            query.baselineFile { $0.walk() },
            query.rows(of: "SELECT * FROM _") { Int($0[0]["age"].int ?? 0) },
            query.rows(of: "SELECT * FROM _", suffix: ", by title") {
                Int($0["_"]["age"].int ?? 0)
            },
        ]
    }

    private static var elements: [Workload] {
        let query = BenchmarkQuery(
            name: "query: UNNEST GROUP BY with index", isIndexed: true, result: \.likes)
        return [
            query.baseline("SELECT body, count(*) FROM each GROUP BY body") { $0.sum() },
            query.rows(
                of: "SELECT taste, COUNT(*) FROM _ UNNEST _.likes AS taste GROUP BY taste"),
        ] + PeerQueries.likes(query)
    }
}
