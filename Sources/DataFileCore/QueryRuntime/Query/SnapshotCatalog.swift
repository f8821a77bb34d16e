internal import FleeceLite
internal import SQLCore

/// What a translator has to know of a file, as a snapshot sees it.
final class SnapshotCatalog: QueryCatalog {
    private let snapshot: Snapshot

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
    }

    func defaultTable() throws -> QueryTable { try table(.default) }

    func table(_ name: QueryCollectionName) throws -> QueryTable {
        try table(snapshot.collection(name).name)
    }

    private func table(_ name: CollectionName) throws -> QueryTable {
        let tables = try Collection(name).tables(in: snapshot)
        return QueryTable(
            store: tables.name, live: tables.live.plainName.sqlIdentifier,
            dead: tables.dead?.name,
            mayHaveLiveTombstones: try tables.mayHaveLiveTombstones(in: snapshot),
            hasExpiration: tables.live.hasExpiration, indexes: try indexes(of: tables.name))
    }

    private func indexes(of store: KeyStoreName) throws -> QueryIndexes {
        let session = try snapshot.session()
        if let known = session.queries.indexes[store] { return known }
        var indexes = QueryIndexes()
        let rows = try IndexRegistry.rowsIfReadable(in: session.context, path: session.path)
        for row in rows where row.store == store {
            try indexes.add(row, in: session.context)
        }
        session.queries.indexes[store] = indexes
        return indexes
    }
}

extension Snapshot {
    /// The collection that a query means by a name; nothing is said of whether it is there.
    ///
    /// Throws `.invalidQuery` for a name that cannot be one.
    func collection(_ name: QueryCollectionName) throws -> Collection {
        let known = try? Collection(CollectionName(name.text))
        if try name.isDatabase(at: session().path) {
            guard let known, try known.exists(in: self) else { return Collection(.default) }
            return known
        }
        guard let known else {
            throw StoreError.invalidQuery("\"\(name.text)\" cannot be the name of a collection")
        }
        return known
    }
}

extension QueryCollectionName {
    /// Whether it is the name of the database itself, by which LiteCore knows the default
    /// collection if there is no other of that name.
    fileprivate func isDatabase(at path: String) -> Bool {
        guard scope == nil else { return false }
        let ending = ".cblite2"
        let bundle = path.split(separator: "/").last { $0.hasSuffix(ending) }
        return bundle.map { collection.hasSameBytes(as: String($0.dropLast(ending.count))) }
            ?? false
    }
}

extension QueryIndexes {
    /// Adds what one index can answer.
    fileprivate mutating func add(_ row: IndexRow, in context: SQLContext) throws {
        switch row.kind {
        case .value: addValues(row)
        case .fullText:
            let table = row.table ?? FullTextTable.name(row.name, of: row.store)
            guard try context.hasTable(table) else { return }
            words[row.name] = WordTable(sqlName: table.sqlName)
        case .array: try addArray(row, in: context)
        case .predictive: try addPrediction(row, in: context)
        case .vector: try addVector(row, in: context)
        default: break
        }
    }

    private mutating func addPrediction(_ row: IndexRow, in context: SQLContext) throws {
        guard let definition = row.definition, definition.condition == nil,
            case .prediction(let model, let input, _)? = definition.expressions.first,
            let table = row.table, try context.hasTable(table),
            let text = try? SQLExpressionWriter.sql(
                .prediction(model: model, input: input, property: nil), .records(alias: ""))
        else { return }
        predictions[text] = table.sqlName
    }

    private mutating func addVector(_ row: IndexRow, in context: SQLContext) throws {
        guard let definition = row.definition, let expression = definition.expressions.first,
            let table = row.table,
            let schema = try context.first(
                SchemaSQL.textOfName, [.text(table)], row: { $0.text(at: 0) ?? "" }),
            let text = try? SQLExpressionWriter.sql(expression, .records(alias: ""))
        else { return }
        let arguments = schema.split { "(), ".contains($0) }
        let metric = arguments.first { $0.hasPrefix("metric=") }?.dropFirst(7) ?? "euclidean2"
        vectors[text] = VectorTable(sqlName: table.sqlName, metric: String(metric))
    }

    private mutating func addValues(_ row: IndexRow) {
        guard let definition = row.definition else { return }
        for (number, expression) in definition.expressions.enumerated() {
            var expression = expression
            // An index in another order of texts has the values all the same.
            while case .collate(_, let value) = expression { expression = value }
            guard let text = try? SQLExpressionWriter.sql(expression, .records(alias: "")) else {
                continue
            }
            expressions.insert(text)
            let isWhole =
                definition.condition == nil && expression == definition.expressions[number]
            if number == 0, isWhole { leading.insert(text) }
        }
    }

    /// Arrays inside of arrays are left to `fl_each`, as those of which some are in the index.
    private mutating func addArray(_ row: IndexRow, in context: SQLContext) throws {
        guard let plainName = row.table, let definition = row.definition,
            definition.condition == nil, row.condition == nil,
            ArrayTable.parent(ofPlain: plainName) == nil
        else { return }
        let prefix = ArrayTable.plainName("", of: row.store)
        let table = ArrayTable.name(ofPlain: plainName)
        guard plainName.hasPrefix(prefix), try context.hasTable(table) else { return }
        let path = KeyStoreName.unmangled(plainName.dropFirst(prefix.count))
        var known =
            arrays[path]
            ?? ElementTable(
                sqlName: table.sqlName, title: "the elements of \(path)", expressions: [])
        let texts = definition.expressions.compactMap {
            try? SQLExpressionWriter.sql($0, .elements)
        }
        known.expressions.formUnion(texts.isEmpty ? ["fl_unnested_value(body)"] : texts)
        arrays[path] = known
    }
}

extension SQLContext {
    fileprivate func hasTable(_ name: String) throws -> Bool {
        try first(SchemaSQL.textOfName, [.text(name)]) { _ in true } ?? false
    }
}
