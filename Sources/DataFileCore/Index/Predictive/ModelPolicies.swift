internal import FleeceLite
public import QueryFunctions
internal import QueryLanguage
internal import StoreFormat

/// The models whose failures leave documents out of the indexes, as the file says it: whoever
/// writes to it must deal with them alike.
///
/// It is of a model, not of an index: the function that asks the model does not know for which
/// index it does so.
extension Snapshot {
    /// The names of those models; LiteCore, which ignores the list, refuses the write. So does a
    /// list that is damaged.
    package func lenientModels() throws -> Set<String> {
        guard let bytes = try info(InfoKey.lenientModels), !bytes.isEmpty,
            let list = try? FleeceDocument(trusted: bytes).root.array
        else { return [] }
        return Set(list.compactMap(\.string))
    }

    /// Whether the file does what an index wants when its model fails.
    func hasPolicy(of spec: IndexSpec, _ index: IndexRow) throws -> Bool {
        guard index.kind == .predictive else { return true }
        let lenient = try lenientModels()
        return index.models.allSatisfy { lenient.contains($0) == spec.isLenient }
    }
}

extension Transaction {
    /// How many documents were left out of predictive indexes so far, since their model failed, and
    /// why; only of indexes that allow it.
    public func predictionFailures() throws -> [PredictionFailure] {
        try session().failures.noted
    }

    /// Tells the functions of this connection which models may fail.
    package func loadModelPolicies() throws {
        try session().failures.setLenient(try lenientModels())
    }

    /// Notes what the failure of its models does, for an index that is being made.
    ///
    /// Throws `.invalidParameter` if another index of a model does otherwise.
    func setPolicy(of spec: IndexSpec, _ index: IndexRow, others: [IndexRow]) throws {
        if spec.isLenient, index.definition?.condition?.models.isEmpty == false {
            throw StoreError(
                .invalidParameter,
                "the index \(index.name) asks a model in its condition, and cannot leave documents "
                    + "out when that fails (onFailure): whether they were in it must not change")
        }
        let asked = index.models
        let old = try lenientModels()
        let new = spec.isLenient ? old.union(asked) : old.subtracting(asked)
        let changed = old.symmetricDifference(new)
        if let other = others.first(where: { !$0.models.isDisjoint(with: changed) }) {
            let model = other.models.intersection(changed).min() ?? ""
            throw StoreError(
                .invalidParameter,
                "the index \(other.name) is of the model \(model), too, and does otherwise when it "
                    + "fails (onFailure): that is the same for all indexes of a model")
        }
        try putLenientModels(new)
    }

    /// Forgets the models that no predictive index asks any more.
    func keepPolicies(of indexes: [IndexRow]) throws {
        let indexes = indexes.filter { $0.kind == .predictive }
        // One that this version cannot read may be of any model.
        guard indexes.allSatisfy({ $0.definition != nil }) else { return }
        let asked = indexes.reduce(into: Set()) { $0.formUnion($1.models) }
        try putLenientModels(lenientModels().intersection(asked))
    }

    private func putLenientModels(_ models: Set<String>) throws {
        if try models != lenientModels() {
            var encoder = FleeceEncoder()
            encoder.beginArray()
            for model in models.sorted() { encoder.writeString(model) }
            try encoder.endArray()
            try setInfo(InfoKey.lenientModels, models.isEmpty ? nil : encoder.finish())
        }
        try session().failures.setLenient(models)
    }
}

extension IndexSpec {
    /// Whether documents are left out of it when a model fails. Other kinds have no choice: in
    /// those SQLite must find again, by the same answers, what it has put there.
    fileprivate var isLenient: Bool {
        if case .predictive(let options) = kind { options.onFailure == .leavesOut } else { false }
    }
}

extension IndexRow {
    /// The models that the index asks.
    fileprivate var models: Set<String> {
        guard let definition else { return [] }
        return definition.expressions.reduce(into: definition.condition?.models ?? []) {
            $0.formUnion($1.models)
        }
    }
}

extension QueryExpression {
    /// The models that it asks, as far as it names them.
    fileprivate var models: Set<String> {
        var models: Set<String> = []
        visit {
            if case .prediction(.literal(.string(let name)), _, _) = $0 { models.insert(name) }
        }
        return models
    }
}
