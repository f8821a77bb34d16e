/// Documents without a prediction because the model failed or was not registered.
///
/// They are reported only for indexes whose options allow to leave documents out; otherwise the
/// write fails. The transaction returns them, and they are logged as warnings after the commit:
///
/// ```swift
/// try file.write { transaction in
///     _ = try people.save("ada", in: transaction) { try $0.writeJSON(json) }
///     for failure in try transaction.predictionFailures() where failure.model == "mood" {
///         show("\(failure.count) documents are not in the index: \(failure.message)")
///     }
/// }
/// ```
///
/// To index the documents, correct the model and call
/// ``DocumentCollection/rebuildIndex(_:in:progress:)``.
public struct PredictionFailure: Hashable, Sendable {
    /// The name of the model, as in the call of `prediction`.
    public let model: String
    /// The description of the error, at most about 500 bytes; of the first failure, if there were
    /// too many different messages.
    public let message: String
    /// The number of documents that failed with this message.
    public internal(set) var count: Int

    init(model: String, message: String, count: Int = 1) {
        self.model = model
        self.message = message
        self.count = count
    }
}

/// The policy for documents whose prediction fails.
enum PredictionFailurePolicy: Sendable {
    /// The statement fails, and with it the write, which changes nothing.
    case refuse
    /// The prediction is missing, so that an index omits the document; the failure is recorded.
    case leaveOut
}
