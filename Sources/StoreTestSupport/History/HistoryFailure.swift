/// A history on which a store and its model differ, shortened as far as possible.
public struct HistoryFailure: Error {
    /// The seed of the history; nil for an explicit one.
    public let seed: UInt64?
    /// The steps that lead to the difference.
    public let history: [HistoryStep]
    /// The operation whose results differ, and its position.
    public let operation: String
    /// The result of the model.
    public let expected: String
    /// The result of the driver, or the error that it threw.
    public let got: String
    /// The number of operations before the history was shortened.
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
    /// The seed, the steps and both results, over several lines.
    public var description: String {
        let origin = seed.map { "seed \($0), " } ?? ""
        return """
            the store differs from its model (\(origin)\(history.operationCount) of \
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
