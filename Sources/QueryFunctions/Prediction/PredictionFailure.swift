/// Documents without a prediction because the model failed or was not registered.
public struct PredictionFailure: Hashable, Sendable {
    /// The name of the model.
    public let model: String
    /// The error message; of the first failure, if there were too many different messages.
    public let message: String
    /// The number of documents.
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
