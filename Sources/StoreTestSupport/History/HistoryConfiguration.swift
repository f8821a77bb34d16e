/// How random histories are made.
public struct HistoryConfiguration: Sendable {
    /// The stores of documents, by the names that the driver knows.
    public var stores = ["default", ".people"]
    /// The stores of raw records.
    public var rawStores = ["notes"]
    /// The keys that are used; few, so that most of them are there most of the time.
    public var keys = HistoryConfiguration.someKeys
    /// How many operations a history has.
    public var operations = 1000
    /// The most bytes in a body; some are much shorter.
    public var largestBody = 300
    /// Whether bodies are documents that the indexes of tests are of, not bytes of any kind.
    package var hasDocuments = false
    /// Of a hundred transactions and savepoints, how many are rolled back.
    public var rollbackPercent = 12
    /// Of a hundred steps outside of transactions, how many close the store and open it again.
    public var reopenPercent = 3

    /// Two stores, one raw store, a thousand operations.
    public init() {}

    /// Keys that sort in a surprising way or look alike.
    public static let someKeys: [String] =
        (0..<16).map { "doc-\($0)" } + [
            "a", "A", "a b", "ab", "é", "e\u{301}", "z'z", "z\"z", "日本", "😀", "\u{FFFF}", " ",
            String(repeating: "k", count: 240),
        ]
}
