// Rows of the table of the store: queries and indexes.
extension Target {
    static let querying: [Target] = {
        let (equality, group) = ("indexed equality, 2,200 ids / 1 row", "query: GROUP BY state")
        return [
            baseline(
                "query scan, state = ?, no index, all 100k", "query: scan state = ?", atMost: 1.4,
                stretch: 1.25),
            seconds(
                .store, "COUNT(*) of a collection", "query: COUNT(*)", atMost: 2e-3, for: .pass),
            liteCore(
                equality, part: "2,200 ids", "query: indexed equality, 2,200 ids", 0.6, of: 2.4e-3,
                for: .pass),
            liteCore(equality, part: "1 row", "query: indexed equality, 1 row", 0.6, of: 6.3e-6),
            seconds(
                .store, "indexed COUNT of 2,200", "query: indexed COUNT of 2,200", atMost: 0.2e-3,
                for: .pass),
            baseline(
                "GROUP BY state without / with index", part: "without", group + " without index",
                atMost: 1.5),
            seconds(
                .store, "GROUP BY state without / with index", part: "with",
                group + " with index", atMost: 8e-3, for: .pass),
            seconds(
                .store, "ORDER BY … LIMIT 100 without index",
                "query: ORDER BY birthday LIMIT 100 without index", atMost: 18e-3, for: .pass),
            seconds(
                .store, "SELECT * of 100k, streamed and read", "query: SELECT *, a document read",
                atMost: 60e-3, for: .items(100_000)),
            seconds(
                .store, "UNNEST group-by with index", "query: UNNEST GROUP BY with index",
                atMost: 30e-3, for: .pass),
        ]
    }()

    static let searching: [Target] = {
        let creation = "value / array / full-text index creation, 100k"
        return [
            liteCore(
                creation, part: "value", "index: create, value", 0.7, of: 43e-3,
                for: .items(100_000)),
            liteCore(
                creation, part: "array", "index: create, array", 0.7, of: 140e-3,
                for: .items(100_000)),
            liteCore(
                creation, part: "full-text", "index: create, words", 0.7, of: 305e-3,
                for: .items(100_000)),
        ] + wordSearches + [
            seconds(.store, "query compile", "query: compile", atMost: 0.1e-3),
            seconds(.store, "query compile", part: "cached", "query: cached", atMost: 5e-6),
        ]
    }()

    /// Both ways of querying.
    private static let wordSearches: [Target] = [("3,891", 4e-3), ("20", 0.2e-3)].flatMap {
        count, limit in
        [("MATCH in SQL++", ", SQL++"), ("SQL of its own, prepared once", "")].map { way, ending in
            seconds(
                .store, "full-text, word in 3,891 of 20k texts / 20 of them",
                part: "\(count), \(way)",
                "index: search of a word in \(count) of 20k texts" + ending, atMost: limit,
                for: .pass)
        }
    }
}
