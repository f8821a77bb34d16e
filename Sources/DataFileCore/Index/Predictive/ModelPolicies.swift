internal import FleeceLite

/// The models whose failures leave documents out of the indexes, as the file says it: whoever
/// writes to it must deal with them alike.
///
/// It is of a model, not of an index: the function that asks the model does not know for which
/// index it does so.
extension Snapshot {
    /// The names of those models; LiteCore, which ignores the list, refuses the write.
    func lenientModels() throws -> Set<String> {
        guard let bytes = try info(InfoKey.lenientModels), !bytes.isEmpty else { return [] }
        guard let list = try? FleeceDocument(trusted: bytes).root.array else {
            throw StoreError(
                .corruptData,
                "the list of models that may fail of \(try session().path) is damaged (kv_info)")
        }
        return Set(list.compactMap(\.string))
    }
}

extension Transaction {
    /// How many documents were left out of predictive indexes so far, since their model failed, and
    /// why; only of indexes that allow it.
    public func predictionFailures() throws -> [PredictionFailure] {
        try session().failures.noted
    }

    /// Tells the functions of this connection which models may fail.
    func loadModelPolicies() throws {
        try session().failures.setLenient(try lenientModels())
    }

    /// Notes what the failure of a model does, for an index that is being made.
    ///
    /// Throws `.invalidParameter` if another index of the model does otherwise.
    func setPolicy(
        _ failure: PredictiveOptions.Failure, ofModel model: String, for index: String,
        _ others: [IndexRow]
    ) throws {
        var models = try lenientModels()
        let isLenient = failure == .leavesOut
        guard models.contains(model) != isLenient else { return }
        let other = others.first { $0.predictiveModel == model && $0.name != index }
        if let other {
            throw StoreError(
                .invalidParameter,
                "the index \(other.name) is of the model \(model), too, and does otherwise when it "
                    + "fails (onFailure): that is the same for all indexes of a model")
        }
        if isLenient { models.insert(model) } else { models.remove(model) }
        var encoder = FleeceEncoder()
        encoder.beginArray()
        for model in models.sorted() { encoder.writeString(model) }
        try encoder.endArray()
        try putInfo(InfoKey.lenientModels, try encoder.finish())
        try session().failures.setLenient(models)
    }
}

extension IndexRow {
    /// The model that a predictive index asks.
    var predictiveModel: String? {
        guard kind == .predictive,
            case .prediction(let model, _, _) = definition?.expressions.first,
            case .literal(.string(let name)) = model
        else { return nil }
        return name
    }
}
