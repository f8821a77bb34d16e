internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// What a snapshot shows of the file to the query translator.
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
        let tables = try DocumentCollection(name).tables(in: snapshot)
        return QueryTable(
            store: tables.name, live: tables.live.plainName.sqlIdentifier,
            tombstones: tables.tombstones?.name,
            mayHaveLiveTombstones: try tables.mayHaveLiveTombstones(in: snapshot),
            hasExpiration: tables.live.hasExpiration, indexes: try indexes(of: tables.name))
    }

    private func indexes(of store: KeyStoreName) throws -> QueryIndexes {
        let connection = try snapshot.connection()
        if let known = connection.queries.indexes[store] { return known }
        var indexes = QueryIndexes()
        let rows = try IndexRegistry.rowsIfReadable(in: connection.context, path: connection.path)
        for row in rows where row.store == store {
            try indexes.add(row, in: connection.context)
        }
        try indexes.compare(with: rows, of: store, in: connection.context)
        connection.queries.indexes[store] = indexes
        return indexes
    }

}

extension String.UTF8View {
    /// Whether it contains the name of the body column, in any case.
    fileprivate var containsBody: Bool {
        String(asciiLowercase: self).contains("body")
    }
}

extension IndexRow {
    /// The SQL texts that the value index of this row can have in the schema; empty if the indexed
    /// expressions are unknown.
    fileprivate var valueIndexTexts: [String] {
        guard let definition else { return [] }
        let expressions = definition.expressions.compactMap { try? $0.indexSQL() }
        let condition = definition.condition.flatMap { try? $0.indexSQL() }
        guard expressions.count == definition.expressions.count else { return [] }
        let index = IndexSchema.SQLiteIndex(
            table: store.tableName, expressions: expressions, condition: condition)
        return [index.sql(name), index.quotedSQL(name)]
    }
}

extension Snapshot {
    /// The collection that a name in a query refers to, whether or not it exists.
    ///
    /// - Throws: `.invalidQuery` for an invalid collection name.
    func collection(_ name: QueryCollectionName) throws -> DocumentCollection {
        if name.isDefault { return DocumentCollection(.default) }
        let known = try? DocumentCollection(CollectionName(name.text))
        if try name.isDatabase(at: connection().path) {
            guard let known, try known.exists(in: self) else { return DocumentCollection(.default) }
            return known
        }
        guard let known else {
            throw StoreError.invalidQuery("\"\(name.text)\" cannot be the name of a collection")
        }
        return known
    }
}

extension QueryCollectionName {
    /// Whether it is the usual name of the default collection.
    fileprivate var isDefault: Bool {
        scope == nil && (collection == "_" || collection == "_default")
    }

    /// Whether it is the name of the database, which LiteCore uses for the default collection
    /// unless another collection has that name.
    fileprivate func isDatabase(at path: String) -> Bool {
        guard scope == nil else { return false }
        // By bytes and from the end, since every query that is compiled asks.
        let ending = ".cblite2".utf8
        var rest = path.utf8[...]
        while !rest.isEmpty {
            let slash = rest.lastIndex(of: UInt8(ascii: "/"))
            let component = rest[(slash.map(rest.index(after:)) ?? rest.startIndex)...]
            if component.suffix(ending.count).elementsEqual(ending) {
                return component.dropLast(ending.count).elementsEqual(collection.utf8)
            }
            rest = rest[..<(slash ?? rest.startIndex)]
        }
        return false
    }
}

extension QueryIndexes {
    /// Finds indexes of document bodies that differ from the registry, or that do not exist.
    fileprivate mutating func compare(
        with rows: [IndexRow], of store: KeyStoreName, in context: SQLContext
    ) throws {
        var sqlTexts: [String: String] = [:]
        for row in rows where row.kind == .value && row.store == store {
            for text in row.valueIndexTexts { sqlTexts[text] = row.name }
        }
        var found: Set<String> = []
        try context.forEach(SchemaSQL.indexesOfTable, [.text(store.tableName)]) { row in
            guard let text = row.text(at: 1) else { return }
            if let name = sqlTexts[text] {
                found.insert(name)
            } else if text.utf8.containsBody {
                hasOthers = true
            }
        }
        names = names.filter { found.contains($0.value) }
    }

    /// Adds the expressions that an index serves.
    fileprivate mutating func add(_ row: IndexRow, in context: SQLContext) throws {
        switch row.kind {
        case .value: addValues(row)
        case .fullText:
            let table = row.table ?? FullTextTable.name(row.name, of: row.store)
            guard try context.hasTable(table) else { return }
            words[row.name] = FullTextSource(sqlName: table.sqlName)
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
            let text = try? QueryExpression.prediction(model: model, input: input, property: nil)
                .indexSQL()
        else { return }
        predictions[text] = table.sqlName
    }

    private mutating func addVector(_ row: IndexRow, in context: SQLContext) throws {
        guard let definition = row.definition, let expression = definition.expressions.first,
            let table = row.table
        else { return }
        if let options = row.vectorOptions, let text = try? expression.indexSQL() {
            let table = VectorTables(base: table).pendingName
            add(
                VectorTable(
                    sqlName: table.sqlName, metric: options.metric.rawValue, ownName: row.name,
                    isPartial: definition.condition != nil), text)
            return
        }
        guard
            let schema = try context.first(
                SchemaSQL.textOfName, [.text(table)], row: { $0.text(at: 0) ?? "" }),
            let text = try? expression.indexSQL()
        else { return }
        let arguments = schema.split { "(), ".contains($0) }
        let metric = arguments.first { $0.hasPrefix("metric=") }?.dropFirst(7) ?? "euclidean2"
        add(VectorTable(sqlName: table.sqlName, metric: String(metric)), text)
    }

    private mutating func add(_ table: VectorTable, _ expression: String) {
        let known = vectors[expression] ?? []
        let position = known.firstIndex { $0.priority > table.priority } ?? known.count
        vectors[expression, default: []].insert(table, at: position)
    }

    private mutating func addValues(_ row: IndexRow) {
        guard let definition = row.definition else { return }
        for (number, expression) in definition.expressions.enumerated() {
            var expression = expression
            // The collation of an index does not affect the values in it.
            while case .collate(_, let value) = expression { expression = value }
            guard let text = try? expression.indexSQL() else { continue }
            add(text, of: row.name)
            let isWhole =
                definition.condition == nil && expression == definition.expressions[number]
            guard number == 0, isWhole else { continue }
            leading.insert(text)
            names[text] = row.name
        }
    }

    /// Arrays that are only partly in the index are left to `fl_each`.
    private mutating func addArray(_ row: IndexRow, in context: SQLContext) throws {
        guard let plainName = row.table, let definition = row.definition,
            definition.condition == nil, row.condition == nil
        else { return }
        let prefix = ArrayTable.plainName("", of: row.store)
        guard plainName.hasPrefix(prefix) else { return }
        var tables: [ElementTable] = []
        var outer = ""
        for level in ArrayTable.levels(plainName.dropFirst(prefix.count)) {
            outer = outer.isEmpty ? prefix + level : ArrayTable.plainName(mangled: level, outer)
            let table = ArrayTable.name(ofPlain: outer)
            guard try context.hasTable(table) else { return }
            let path = KeyStoreName.unmangled(outer.dropFirst(prefix.count))
            tables.append(
                ElementTable(
                    sqlName: table.sqlName, path: KeyStoreName.unmangled(level),
                    title: "the elements of \(path)"))
        }
        let sqlTexts = definition.expressions.compactMap { try? $0.indexSQL(of: .elements) }
        let all = sqlTexts.isEmpty ? ["fl_unnested_value(body)"] : sqlTexts
        arrays.add(tables[...], all)
    }
}

extension [String: QueryIndexes.ElementTable] {
    /// Adds the indexed expressions of the last of several nested element tables, each of which
    /// belongs to an element of the previous one.
    fileprivate mutating func add(
        _ tables: ArraySlice<QueryIndexes.ElementTable>, _ expressions: [String]
    ) {
        guard let first = tables.first else { return }
        var table = self[first.path] ?? first
        if tables.count > 1 {
            table.inner.add(tables.dropFirst(), expressions)
        } else {
            table.expressions.formUnion(expressions)
            table.leading.formUnion(expressions.prefix(1))
        }
        self[first.path] = table
    }
}

extension SQLContext {
    fileprivate func hasTable(_ name: String) throws -> Bool {
        try first(SchemaSQL.textOfName, [.text(name)]) { _ in true } ?? false
    }
}
