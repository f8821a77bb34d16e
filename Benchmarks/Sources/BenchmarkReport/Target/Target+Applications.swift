// The table of the stores, and of the SQL layer.
extension Target {
    static let applications: [Target] = {
        let (list, counts) = (
            "OONI: list of 100 results with aggregates / latest",
            "OONI: not viewed, missing upload, not uploaded list"
        )
        let (first, loads) = (
            "Servers, 1.9k: first store / unchanged store again",
            "Servers: all loads updated, 1.9k / 15k"
        )
        return [
            application(list, "list of 100", "ooni: list of 100 with aggregates", 0.5),
            application(list, "latest", "ooni: latest", 0.05),
            application(counts, "not viewed", "ooni: not viewed", 0.2),
            application(counts, "missing upload", "ooni: missing upload", 0.2),
            application(counts, "not uploaded list", "ooni: list of not uploaded", 1),
            application(first, "first", "servers: first store, 1.9k", 30),
            application(first, "again", "servers: same list again, 1.9k", 5),
        ] + serverQueries + [
            application(loads, "1.9k", "servers: all loads, 1.9k", 5),
            application(loads, "15k", "servers: all loads, 15k", 40),
        ]
    }()

    /// Each is judged for both ways of querying. The list in memory has its cost, too: it is
    /// created again after a change, so that the first query then costs both.
    private static let serverQueries: [Target] = {
        let row = "Servers, 15k: groups / fastest in a country / list of one country"
        let queries = [
            ("groups", "servers: groups, 15k", 8.0),
            ("fastest", "servers: fastest of a country, 15k", 0.2),
            ("one country", "servers: one country, 15k", 3),
        ]
        let renewal = "servers: list in memory after a change of loads, 15k"
        return queries.flatMap { part, workload, limit in
            [
                application(row, part + ", from the file", workload, limit),
                application(
                    row, part + ", from the list in memory", workload + ": in memory", limit),
            ]
        } + [
            application(
                row, "groups, from the list in memory, created again after a change of loads",
                [renewal, "servers: groups, 15k: in memory"], 8)
        ]
    }()

    private static func application(
        _ row: String, _ part: String, _ workload: String, _ milliseconds: Double
    ) -> Target {
        application(row, part, [workload], milliseconds)
    }

    /// The total time of the workloads.
    private static func application(
        _ row: String, _ part: String, _ workloads: [String], _ milliseconds: Double
    ) -> Target {
        Target(
            .applications, row, part: part, workloads: workloads, quantity: .pass,
            rule: .seconds(.atMost(milliseconds * 1e-3)))
    }

    /// Rows per second, converted to seconds per row.
    static let rows: [Target] = {
        let row = "SQL layer, 100k rows of 4 columns: insert / fetch all / fetch by id"
        return [
            ("insert", "SQL: insert a row of 4 columns, insertAll", 600_000.0),
            ("fetch all", "SQL: read a row of 4 columns, fetchAll by position", 2_000_000),
            ("fetch by id", "SQL: fetch a row by its key, fetch", 250_000),
        ].map { part, workload, perSecond in
            seconds(.applications, row, part: part, workload, atMost: 1 / perSecond)
        }
    }()
}
