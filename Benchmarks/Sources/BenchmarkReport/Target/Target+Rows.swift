extension Target {
    /// All of the tables, in their order.
    ///
    /// Where a table has a range for another engine, its better end counts.
    public static let all: [Target] =
        writing + reading + querying + searching + opening + converting + lookingUp
        + applications + rows + encryption

    /// The length of the reference's file of people.
    static let sizeOfReferenceFile = 1_303_317
    /// The workload whose amount tells whether the file was at hand.
    static let conversionOfReferenceFile = "1000people.json: JSON to Fleece"

    /// A ratio to the floor.
    static func baseline(
        _ row: String, part: String? = nil, _ workload: String, atMost limit: Double,
        stretch: Double? = nil
    ) -> Target {
        Target(
            .store, row, part: part, workloads: [workload],
            rule: .timesBaseline(.atMost(limit, stretch: stretch)))
    }

    /// A share of what LiteCore took for so many items.
    static func liteCore(
        _ row: String, part: String? = nil, _ workload: String, _ share: Double, of seconds: Double,
        for quantity: Quantity = .items(1)
    ) -> Target {
        Target(
            .store, row, part: part, workloads: [workload], quantity: quantity,
            rule: .share(ofSeconds: seconds, of: "LiteCore", .atMost(share)))
    }

    /// So many seconds at most.
    static func seconds(
        _ table: Table, _ row: String, part: String? = nil, _ workload: String,
        atMost limit: Double, stretch: Double? = nil, for quantity: Quantity = .items(1),
        needsReferenceFile: Bool = false
    ) -> Target {
        Target(
            table, row, part: part, workloads: [workload], quantity: quantity,
            rule: .seconds(.atMost(limit, stretch: stretch)),
            needsReferenceFile: needsReferenceFile)
    }
}
