extension Target {
    /// All targets of the tables, in order.
    ///
    /// Where a table has a range for another engine, the better end is used.
    public static let all: [Target] =
        writing + reading + querying + searching + opening + converting + lookingUp
        + applications + rows + encryption

    /// The length of the reference file of people.
    static let sizeOfReferenceFile = 1_303_317
    /// The workload whose amount shows whether the file was available.
    static let conversionOfReferenceFile = "1000people.json: JSON to Fleece"

    /// A ratio to the baseline.
    static func baseline(
        _ row: String, part: String? = nil, _ workload: String, atMost limit: Double,
        stretch: Double? = nil
    ) -> Target {
        Target(
            .store, row, part: part, workloads: [workload],
            rule: .timesBaseline(.atMost(limit, stretch: stretch)))
    }

    /// A fraction of LiteCore's time for a number of items.
    static func liteCore(
        _ row: String, part: String? = nil, _ workload: String, _ share: Double, of seconds: Double,
        for quantity: Quantity = .items(1)
    ) -> Target {
        Target(
            .store, row, part: part, workloads: [workload], quantity: quantity,
            rule: .share(ofSeconds: seconds, of: "LiteCore", .atMost(share)))
    }

    /// A maximum number of seconds.
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
