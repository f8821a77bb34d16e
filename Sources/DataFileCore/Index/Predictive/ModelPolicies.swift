internal import FleeceLite
public import QueryFunctions
internal import QueryLanguage
internal import StoreFormat

/// The models whose failures leave documents out of indexes. The list is stored in the file, since
/// all writers must handle failures in the same way.
///
/// The policy belongs to a model, not to an index: the function that calls the model does not know
/// for which index it does so.
extension Snapshot {
    /// The names of these models. LiteCore ignores the list and refuses the write. A damaged list
    /// also refuses the write.
    package func lenientModels() throws -> Set<String> {
        guard let bytes = try info(InfoKey.lenientModels), !bytes.isEmpty,
            let list = try? FleeceDocument(trusted: bytes).root.array
        else { return [] }
        return Set(list.compactMap(\.string))
    }

    /// Whether the file's policy for an index's models is the one that its definition specifies.
    func hasPolicy(of spec: IndexSpec, _ index: IndexRow) throws -> Bool {
        guard index.kind == .predictive else { return true }
        let lenient = try lenientModels()
        return index.models.allSatisfy { lenient.contains($0) == spec.isLenient }
    }
}

extension Transaction {
    /// The documents that this transaction has left out of predictive indexes because the model
    /// failed, with the reason.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     _ = try people.save("ada", in: transaction) { try $0.writeJSON(json) }
    ///     for failure in try transaction.predictionFailures() {
    ///         show(failure.model, failure.message, "\(failure.count) documents")
    ///     }
    /// }
    /// ```
    ///
    /// Only indexes with ``PredictiveOptions/Failure/leavesOut`` leave documents out. After the
    /// commit the failures are logged as warnings.
    ///
    /// - Returns: one element for each model and message, in the order of their first occurrence;
    ///   empty if there were no failures.
    public func predictionFailures() throws -> [PredictionFailure] {
        try connection().failures.noted
    }

    /// Loads the models that may fail for the functions of this connection.
    package func loadModelPolicies() throws {
        try connection().failures.setLenient(try lenientModels())
    }

    /// Stores the failure policy of the models of an index that is being created.
    ///
    /// Throws `.invalidParameter` if another index of the model has a different policy.
    func setPolicy(of spec: IndexSpec, _ index: IndexRow, others: [IndexRow]) throws {
        if spec.isLenient, index.definition?.condition?.models.isEmpty == false {
            throw StoreError(
                .invalidParameter,
                "the index \(index.name) calls a model in its condition, so it cannot leave out "
                    + "documents when the model fails (onFailure: .leavesOut)")
        }
        let models = index.models
        let old = try lenientModels()
        let new = spec.isLenient ? old.union(models) : old.subtracting(models)
        let changed = old.symmetricDifference(new)
        if let other = others.first(where: { !$0.models.isDisjoint(with: changed) }) {
            let model = other.models.intersection(changed).min() ?? ""
            throw StoreError(
                .invalidParameter,
                "the index \(other.name) uses the model \(model) with another onFailure; all "
                    + "indexes of a model must have the same")
        }
        try putLenientModels(new)
    }

    /// Removes the models that no predictive index uses any more.
    func keepPolicies(of indexes: [IndexRow]) throws {
        let indexes = indexes.filter { $0.kind == .predictive }
        // An index that this version cannot read may use any model.
        guard indexes.allSatisfy({ $0.definition != nil }) else { return }
        let models = indexes.reduce(into: Set()) { $0.formUnion($1.models) }
        try putLenientModels(lenientModels().intersection(models))
    }

    private func putLenientModels(_ models: Set<String>) throws {
        if try models != lenientModels() {
            var encoder = FleeceEncoder()
            encoder.beginArray()
            for model in models.sorted() { encoder.writeString(model) }
            try encoder.endArray()
            try setInfo(InfoKey.lenientModels, models.isEmpty ? nil : encoder.finish())
        }
        try connection().failures.setLenient(models)
    }
}

extension IndexSpec {
    /// Whether documents are left out when a model fails. Other kinds have no choice: to remove an
    /// entry, SQLite must compute the same value again.
    fileprivate var isLenient: Bool {
        if case .predictive(let options) = kind { options.onFailure == .leavesOut } else { false }
    }
}

extension IndexRow {
    /// The models that the index calls.
    fileprivate var models: Set<String> {
        guard let definition else { return [] }
        return definition.expressions.reduce(into: definition.condition?.models ?? []) {
            $0.formUnion($1.models)
        }
    }
}

extension QueryExpression {
    /// The models that it calls by a literal name.
    fileprivate var models: Set<String> {
        var models: Set<String> = []
        visit {
            if case .prediction(.literal(.string(let name)), _, _) = $0 { models.insert(name) }
        }
        return models
    }
}
