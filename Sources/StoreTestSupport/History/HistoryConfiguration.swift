/// The parameters of random histories.
public struct HistoryConfiguration: Sendable {
    /// The stores of documents, by the names used by the driver.
    public var stores = ["default", ".people"]
    /// The stores of raw records.
    public var rawStores = ["notes"]
    /// The keys; few, so that most of them exist most of the time.
    public var keys = HistoryConfiguration.someKeys
    /// The number of operations of a history.
    public var operations = 1000
    /// The maximum number of bytes of a body; some are much shorter.
    public var largestBody = 300
    /// Whether bodies are documents for the indexes of tests, instead of arbitrary bytes.
    package var hasDocuments = false
    /// The percentage of transactions and savepoints that are rolled back.
    public var rollbackPercent = 12
    /// The percentage of steps outside of transactions that close and reopen the store.
    public var reopenPercent = 3

    /// Two stores, one raw store, a thousand operations.
    public init() {}

    /// Keys with surprising order, and keys that look alike.
    public static let someKeys: [String] =
        (0..<16).map { "doc-\($0)" } + [
            "a", "A", "a b", "ab", "é", "e\u{301}", "z'z", "z\"z", "日本", "😀", "\u{FFFF}", " ",
            String(repeating: "k", count: 240),
        ]
}
