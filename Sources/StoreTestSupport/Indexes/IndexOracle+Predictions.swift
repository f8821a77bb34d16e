internal import DocumentStore
internal import SQLCore

/// `prediction('model', {'a': b.c}, .d)`
private struct IndexedPrediction {
    let model: String
    let input: [(key: String, path: IndexedDefinition.Path)]
    let property: IndexedDefinition.Path?

    init(_ expression: String) throws {
        let form = #/=nprediction\('([^']*)', *\{([^}]*)\}(?:, *\.(\w+))?\)/#.ignoresCase()
        guard let match = expression.wholeMatch(of: form) else {
            throw IndexedDefinition.Unreadable(text: expression)
        }
        model = String(match.1)
        input = try match.2.split(separator: ",").map { entry in
            let parts = entry.split(separator: ":")
            guard parts.count == 2 else {
                throw IndexedDefinition.Unreadable(text: expression)
            }
            let key = parts[0].filter { $0 != "'" && $0 != " " }
            return (key, try IndexedDefinition.path(parts[1].filter { $0 != " " }))
        }
        property = match.3.map { [String($0)] }
    }

    /// The model's prediction for a document.
    func predict(_ root: FleeceValue?) throws -> FleeceValue? {
        guard let model = PredictiveModels.model(named: model) else {
            throw IndexedDefinition.Unreadable(text: "the model \(self.model), which is missing,")
        }
        var encoder = FleeceEncoder()
        encoder.beginDictionary()
        for (key, path) in input {
            guard let value = root?.value(at: path) else { continue }
            try encoder.writeKey(key)
            try encoder.write(value)
        }
        try encoder.endDictionary()
        let document = try FleeceDocument(trusted: encoder.finish())
        guard let input = document.root.dictionary, let result = try model.predict(input) else {
            return nil
        }
        var writer = FleeceEncoder()
        try writer.write(result)
        return try FleeceDocument(trusted: writer.finish()).root
    }
}

extension IndexOracle {
    /// Compares a predictive index: the table of predictions, and the tree of one of their
    /// properties.
    mutating func checkPredictions(_ index: Index, _ store: IndexedStore) throws {
        let prediction = try IndexedPrediction(index.expression)
        let condition = try IndexedDefinition("=n", where: index.condition)
        var results: [(row: Int64, value: FleeceValue)] = []
        for row in store.live where condition.selects(row.root) {
            guard let result = try prediction.predict(row.root) else { continue }
            results.append((row.number, result))
        }
        let statement = try context.prepare(
            sql: "SELECT docid, body FROM \((index.table ?? "").sqlName)")
        var found: [IndexedEntry] = []
        while try statement.next() {
            found.append(
                IndexedEntry(row: statement.long(at: 0), values: [IndexedValue(statement, 1)]))
        }
        compare(
            index, "predictions", found,
            results.map { IndexedEntry(row: $0.row, values: [IndexedValue($0.value)]) })
        guard let property = prediction.property else { return }
        compare(
            index, "values of predictions", try entries(index.name, columns: 1),
            results.map {
                IndexedEntry(row: $0.row, values: [IndexedValue($0.value.value(at: property))])
            })
    }
}
