/// How failures of models are dealt with on one connection, and those that were let pass.
///
/// It belongs to its connection and is used by one thread at a time, as that is. What is noted in a
/// transaction that is rolled back has to be taken and thrown away.
package final class PredictionFailures {
    private var lenient: Set<String> = []
    /// Refuses them all, whatever is set: while nothing is written that could be left out of an
    /// index, as in queries.
    package var isStrict = false
    /// The failures since they were taken, in the order in which they were first seen.
    package private(set) var noted: [PredictionFailure] = []
    private let maximumKinds: Int
    /// What is kept of a message, in bytes at least.
    static let maximumMessage = 500

    /// More than `maximumKinds` of model and message are counted as one for each model.
    package init(maximumKinds: Int = 50) {
        self.maximumKinds = maximumKinds
    }

    /// What is done when a model fails; `refuse` unless it was set.
    func policy(for model: String) -> PredictionFailurePolicy {
        !isStrict && !lenient.isEmpty && lenient.contains(model) ? .leaveOut : .refuse
    }

    /// Decides for a model from now on.
    func set(_ policy: PredictionFailurePolicy, for model: String) {
        switch policy {
        case .refuse: lenient.remove(model)
        case .leaveOut: lenient.insert(model)
        }
    }

    /// Lets these models fail from now on, and no others.
    package func setLenient(_ models: Set<String>) {
        lenient = models
    }

    /// What a savepoint has to bring back.
    package struct Mark {
        fileprivate let lenient: Set<String>
        fileprivate let noted: [PredictionFailure]
    }

    /// The models that may fail, and what was noted, at this moment.
    package var mark: Mark { Mark(lenient: lenient, noted: noted) }

    /// Forgets what came after a moment.
    package func restore(_ mark: Mark) {
        lenient = mark.lenient
        noted = mark.noted
    }

    /// Counts a failure that was let pass.
    func note(_ message: String, of model: String) {
        let message = Self.shortened(message)
        let place =
            noted.firstIndex { $0.model == model && $0.message == message }
            ?? (noted.count < maximumKinds ? nil : noted.lastIndex { $0.model == model })
        if let place {
            noted[place].count += 1
        } else {
            noted.append(PredictionFailure(model: model, message: message))
        }
    }

    /// The failures since the last call, in the order in which they were first seen.
    package func take() -> [PredictionFailure] {
        defer { noted.removeAll() }
        return noted
    }

    /// A model's message may hold the whole document.
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
