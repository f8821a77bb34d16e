/// The policy for failures of models on one connection, and the failures that were tolerated.
///
/// It belongs to its connection and is used by one thread at a time, like the connection. After a
/// rollback the caller must take and discard the failures of the transaction.
package final class PredictionFailures {
    private var lenient: Set<String> = []
    /// Refuses all failures, regardless of the policies: when no index is written, as in queries.
    package var isStrict = false
    /// The failures since the last `take()`, in the order of their first occurrence.
    package private(set) var noted: [PredictionFailure] = []
    private let maximumKinds: Int
    /// The maximum length of a recorded message, in bytes.
    static let maximumMessage = 500

    /// Beyond `maximumKinds` different pairs of model and message, failures are counted per model.
    package init(maximumKinds: Int = 50) {
        self.maximumKinds = maximumKinds
    }

    /// The policy for failures of a model; `refuse` by default.
    func policy(for model: String) -> PredictionFailurePolicy {
        !isStrict && !lenient.isEmpty && lenient.contains(model) ? .leaveOut : .refuse
    }

    /// Sets the policy for a model.
    func set(_ policy: PredictionFailurePolicy, for model: String) {
        switch policy {
        case .refuse: lenient.remove(model)
        case .leaveOut: lenient.insert(model)
        }
    }

    /// Tolerates failures of these models from now on, and of no others.
    package func setLenient(_ models: Set<String>) {
        lenient = models
    }

    /// The state that a savepoint restores.
    package struct Mark {
        fileprivate let lenient: Set<String>
        fileprivate let noted: [PredictionFailure]
    }

    /// The current policies and recorded failures.
    package var mark: Mark { Mark(lenient: lenient, noted: noted) }

    /// Restores the state of a mark.
    package func restore(_ mark: Mark) {
        lenient = mark.lenient
        noted = mark.noted
    }

    /// Counts a failure that was tolerated.
    func note(_ message: String, of model: String) {
        let message = Self.shortened(message)
        let index =
            noted.firstIndex { $0.model == model && $0.message == message }
            ?? (noted.count < maximumKinds ? nil : noted.lastIndex { $0.model == model })
        if let index {
            noted[index].count += 1
        } else {
            noted.append(PredictionFailure(model: model, message: message))
        }
    }

    /// Returns and removes the recorded failures, in the order of their first occurrence.
    package func take() -> [PredictionFailure] {
        defer { noted.removeAll() }
        return noted
    }

    /// A model's message may contain the whole document.
    static func shortened(_ message: String) -> String {
        guard message.utf8.count > maximumMessage else { return message }
        var short = ""
        for scalar in message.unicodeScalars {
            guard short.utf8.count < maximumMessage else { break }
            short.unicodeScalars.append(scalar)
        }
        return short + "…"
    }
}
