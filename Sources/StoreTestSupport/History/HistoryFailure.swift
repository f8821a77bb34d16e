/// A history on which a store and its model differ, as short as it could be made.
public struct HistoryFailure: Error {
    /// What the history was made from; nil if it was written down.
    public let seed: UInt64?
    /// The steps that lead to the difference.
    public let history: [HistoryStep]
    /// The operation that was answered in another way, and where.
    public let operation: String
    /// What the model says.
    public let expected: String
    /// What the driver answered, or the error that it threw.
    public let got: String
    /// How many operations the history had before it was made shorter.
    public let originalCount: Int

    init(
        _ seed: UInt64?, _ history: [HistoryStep], _ mismatch: HistoryMismatch,
        originalCount: Int
    ) {
        self.seed = seed
        self.history = history
        self.originalCount = originalCount
        operation = mismatch.operation
        expected = mismatch.expected
        got = mismatch.got
    }
}

extension HistoryFailure: CustomStringConvertible {
    /// The seed, the steps and the two answers, over several lines.
    public var description: String {
        let origin = seed.map { "seed \($0), " } ?? ""
        return """
            the store is not as its model (\(origin)\(history.operationCount) of \
            \(originalCount) operations):
            \(history.flatMap { $0.lines(indent: "  ") }.joined(separator: "\n"))
            where: \(operation)
            expected:
                \(expected)
            got:
                \(got)
            """
    }
}
