/// Documents for which a model had no answer because it failed, or was not there.
public struct PredictionFailure: Hashable, Sendable {
    /// The name of the model.
    public let model: String
    /// What went wrong, for the first of them if there were too many kinds to tell apart.
    public let message: String
    /// How many documents.
    public internal(set) var count: Int

    init(model: String, message: String, count: Int = 1) {
        self.model = model
        self.message = message
        self.count = count
    }
}

/// What becomes of a document whose prediction fails.
enum PredictionFailurePolicy: Sendable {
    /// The statement fails, and with it the write: nothing of it is kept.
    case refuse
    /// The prediction is missing, so that an index leaves the document out; the failure is noted.
    case leaveOut
}
