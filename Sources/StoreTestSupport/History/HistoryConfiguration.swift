/// The parameters of random histories.
///
/// The defaults suit a store of documents. Few keys and many operations make conflicts, revived
/// tombstones and reads of existing records likely:
///
/// ```swift
/// var configuration = HistoryConfiguration()
/// configuration.stores = ["default", ".people", "shop.orders"]
/// configuration.keys = ["a", "b", "c"]
/// configuration.rollbackPercent = 40
/// try HistoryTest(configuration).run(seed: 1) { try makeDriver() }
/// ```
public struct HistoryConfiguration: Sendable {
    /// The stores of documents, by the names used by the driver; at least one.
    ///
    /// With one store there are no moves between stores.
    public var stores = ["default", ".people"]
    /// The stores of raw records, which have no sequences.
    ///
    /// May be empty; histories then have no raw records.
    public var rawStores = ["notes"]
    /// The keys; few, so that most of them exist most of the time. Must not be empty.
    ///
    /// By default ``someKeys``.
    public var keys = HistoryConfiguration.someKeys
    /// The number of operations of a history; 1,000 by default.
    ///
    /// Operations in transactions count, too, so that the last transaction may exceed the number.
    public var operations = 1000
    /// The maximum number of bytes of a body; some are much shorter. 300 by default.
    public var largestBody = 300
    /// Whether bodies are documents for the indexes of tests, instead of arbitrary bytes.
    package var hasDocuments = false
    /// The percentage of transactions that are rolled back; 12 by default.
    ///
    /// Of savepoints, half are rolled back.
    public var rollbackPercent = 12
    /// The percentage of steps outside of transactions that close and reopen the store; 3 by
    /// default.
    ///
    /// After each reopening everything is compared, which takes longer than any other step.
    public var reopenPercent = 3

    /// Creates the default parameters: two stores, one raw store, a thousand operations.
    public init() {}

    /// Keys with surprising order, and keys that look alike, such as `é` in two normal forms of
    /// Unicode.
    ///
    /// They are the default of ``keys``: besides `doc-0` to `doc-15`, keys with quotes and spaces,
    /// of other scripts, and one of 240 bytes.
    public static let someKeys: [String] =
        (0..<16).map { "doc-\($0)" } + [
            "a", "A", "a b", "ab", "é", "e\u{301}", "z'z", "z\"z", "日本", "😀", "\u{FFFF}", " ",
            String(repeating: "k", count: 240),
        ]
}
