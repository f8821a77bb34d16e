/// A step of a history: an operation, or a transaction or savepoint that contains steps.
///
/// ```swift
/// let write = HistoryStep.operation(
///     .putRaw(key: "a", store: "notes", HistoryContent(version: [1])))
/// let history: [HistoryStep] = [
///     .transaction([write, .savepoint([write], rollsBack: true)], rollsBack: false), .reopen,
/// ]
/// #expect(history.operationCount == 3)
/// ```
public indirect enum HistoryStep: Equatable, Sendable {
    /// One operation; a write outside of a transaction has one of its own.
    case operation(HistoryOperation)
    /// A transaction, which is committed or rolled back at its end. It contains operations and
    /// savepoints.
    case transaction([HistoryStep], rollsBack: Bool)
    /// A savepoint inside a transaction, which is released or rolled back at its end. It may
    /// contain others.
    case savepoint([HistoryStep], rollsBack: Bool)
    /// Closes the store and opens it again; not inside a transaction.
    case reopen
}

extension HistoryStep {
    /// The number of operations in it.
    ///
    /// Reopening counts as one; a transaction or savepoint counts only its operations.
    public var operationCount: Int {
        switch self {
        case .operation, .reopen: 1
        case .transaction(let steps, _), .savepoint(let steps, _):
            steps.reduce(0) { $0 + $1.operationCount }
        }
    }

    /// The steps in a transaction or savepoint; nil for other steps.
    var inner: [HistoryStep]? {
        switch self {
        case .transaction(let steps, _), .savepoint(let steps, _): steps
        default: nil
        }
    }

    /// The same transaction or savepoint with other steps.
    func with(_ steps: [HistoryStep]) -> HistoryStep {
        switch self {
        case .transaction(_, let rollsBack): .transaction(steps, rollsBack: rollsBack)
        case .savepoint(_, let rollsBack): .savepoint(steps, rollsBack: rollsBack)
        default: self
        }
    }

    /// One line for each operation, transaction and savepoint, indented.
    func lines(indent: String = "") -> [String] {
        switch self {
        case .operation(let operation): return [indent + "\(operation)"]
        case .reopen: return [indent + "reopen"]
        case .transaction(let steps, let rollsBack), .savepoint(let steps, let rollsBack):
            let isSavepoint = if case .savepoint = self { true } else { false }
            let name = isSavepoint ? "savepoint" : "transaction"
            return ["\(indent)\(name)\(rollsBack ? ", rolled back" : "") {"]
                + steps.flatMap { $0.lines(indent: indent + "  ") } + [indent + "}"]
        }
    }
}
