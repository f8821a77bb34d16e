/// A history on which a store and its model differ, shortened as far as possible.
///
/// Its description prints the steps and both results; a test that throws it shows all that is
/// needed. To debug it, run ``history`` again:
///
/// ```swift
/// do {
///     try HistoryTest().run(seed: 77) { try makeDriver() }
/// } catch let failure as HistoryFailure {
///     print(failure)
///     try HistoryTest().run(failure.history, on: makeDriver())
/// }
/// ```
public struct HistoryFailure: Error {
    /// The seed of the history; nil for an explicit one.
    ///
    /// The same seed and configuration generate the whole history again, before it was shortened.
    public let seed: UInt64?
    /// The steps that lead to the difference. No single one of them can be left out, unless
    /// ``HistoryTest/shrinkingAttempts`` were used up.
    public let history: [HistoryStep]
    /// The operation whose results differ, and its position.
    ///
    /// It may be a comparison that is not part of the history, after reopening or at the end.
    public let operation: String
    /// The result of the model.
    public let expected: String
    /// The result of the driver, or the error that it threw.
    ///
    /// Both results are printed by their descriptions, such as ``HistoryRecord/description``.
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
