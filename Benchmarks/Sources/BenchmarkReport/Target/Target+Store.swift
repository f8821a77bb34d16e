// Rows of the table of the store.
extension Target {
    static let writing: [Target] = {
        let change = "random read + change 1 property + save, one transaction"
        let update = "store: read at random, change, save"
        return [
            baseline(
                "insert JSON, one transaction (parse + encode + store)",
                "store: insert, one transaction, tmpfs: documents of JSON", atMost: 1.5,
                stretch: 1.25),
            liteCore(
                "insert, a transaction per 1,000",
                "store: insert, a transaction per 1,000, tmpfs: documents of JSON", 0.6,
                of: 6.9e-6),
            baseline(
                "insert, a transaction each (normal)",
                "store: insert, a transaction each, tmpfs: documents of JSON", atMost: 1.6,
                stretch: 1.3),
            baseline(change, part: "records", update + ": records", atMost: 1.4),
            baseline(change, part: "documents", update + ": documents", atMost: 1.6),
            liteCore(
                "the same with 3 value + full-text + array indexes",
                "index: read at random, change, save, with five", 0.5, of: 92e-6),
            liteCore(
                "delete (tombstone) / purge", part: "delete", "store: delete at random: documents",
                0.6, of: 7.7e-6),
            liteCore(
                "delete (tombstone) / purge", part: "purge", "store: purge at random: records",
                0.6, of: 2.8e-6),
            liteCore(
                "set expiration / purge expired", part: "set",
                "store: set expirations at random: records", 0.6, of: 2.5e-6),
            liteCore(
                "set expiration / purge expired", part: "purge",
                "store: purge what has expired: records", 0.6, of: 2.2e-6),
        ]
    }()

    static let reading: [Target] =
        ["records", "documents"].map { (kind: String) in
            baseline(
                "random get by key + 1 property", part: kind,
                "store: get at random and read 1 property: " + kind, atMost: 1.1, stretch: 1)
        }
        + ["by key", "by sequence"].map { (order: String) in
            baseline(
                "enumerate by key or sequence, body + 1 property", part: order,
                "store: enumerate \(order), body and 1 property: forEachRow", atMost: 1.4,
                stretch: 1.2)
        }
        + ["by key", "by sequence"].map { (order: String) in
            liteCore(
                "enumerate, metadata only", part: order,
                "store: enumerate \(order), metadata: forEachRow", 0.7, of: 345e-9)
        }

    static let opening: [Target] =
        ["for reading", "for writing"].map { (access: String) in
            seconds(
                .store, "open / close an existing file", part: access,
                "store: open \(access), and close: engine", atMost: 0.4e-3)
        } + [
            readers("in one snapshot", "threads: 2 readers against 1"),
            readers("a snapshot each", "threads: 2 readers against 1, a snapshot each"),
            Target(
                .store, "readers' p99 while a bulk write runs",
                workloads: ["threads: p99 of readers beside a bulk write, against p99 alone"],
                rule: .figure(.atMost(3))),
        ]

    /// One long snapshot for all reads, or one for each of them, as in a program that reads now and
    /// then.
    private static func readers(_ part: String, _ figure: String) -> Target {
        Target(
            .store, "2 reader threads against 1", part: part, workloads: [figure],
            rule: .figure(.atLeast(1.7, stretch: 1.9)))
    }
}
