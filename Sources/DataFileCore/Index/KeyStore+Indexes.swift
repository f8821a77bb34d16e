internal import QueryLanguage
internal import SQLCore
package import StoreFormat
internal import StorePlatform

extension KeyStore {
    /// Creates an index; see `DocumentCollection.createIndex`.
    func createIndex(
        _ spec: IndexSpec, in transaction: Transaction, progress: ((IndexProgress) -> Bool)?
    ) throws -> Bool {
        try transaction.wrapping(name) {
            let connection = try transaction.writing()
            _ = try tables(in: transaction)
            try spec.requireName()
            let schema = try spec.schema(of: name)
            let registry = try IndexRegistry(connection)
            let old = try existing(spec, registry, connection)
            if let old {
                let isCurrent = try schema.isCurrent(old, in: connection.context)
                if try isCurrent && transaction.hasPolicy(of: spec, schema.row) { return false }
            } else {
                try requireFreeName(spec.name, schema, connection)
                try requireFreeTable(schema, registry, connection)
            }
            transaction.endReaders()
            // A caller that catches an error and continues must not commit half an index.
            try transaction.savepoint {
                try buildIndex(spec, schema, insteadOf: old, transaction, progress)
            }
            return true
        }
    }

    private func buildIndex(
        _ spec: IndexSpec, _ schema: IndexSchema, insteadOf old: IndexRow?,
        _ transaction: Transaction, _ progress: ((IndexProgress) -> Bool)?
    ) throws {
        let connection = try transaction.writing()
        let registry = try IndexRegistry(connection)
        if let old { try IndexRemoval(context: connection.context).remove(old, from: registry) }
        try transaction.setPolicy(of: spec, schema.row, others: registry.rows())
        try registry.create()
        let report = IndexProgressReport(steps: schema.stepCount, transaction.suspending(progress))
        try IndexCreation(context: connection.context, progress: report).run(schema)
        try registry.add(schema.row)
        if schema.row.kind == .fullText { try connection.letTriggersWrite() }
        if schema.row.kind == .vector { try transaction.fillVectorIndex(schema.row, report) }
        try transaction.recordCollationVersion(of: schema.row)
        if old != nil { try transaction.forgetGoneIndexes() }
        report.finish()
    }

    /// The existing index with the same name.
    ///
    /// Throws `.invalidParameter` if it belongs to another collection.
    private func existing(
        _ spec: IndexSpec, _ registry: IndexRegistry, _ connection: Connection
    ) throws -> IndexRow? {
        guard let row = try registry.row(spec.name) else { return nil }
        guard row.store == name else {
            throw StoreError(
                .invalidParameter,
                "\(connection.path) has an index \(spec.name) already, of the store "
                    + "\(row.store.rawName): in this format the names of indexes are unique in the "
                    + "whole file, not in each collection; choose another name")
        }
        return row
    }

    /// Tables and indexes share one namespace in SQLite, which ignores ASCII case.
    private func requireFreeName(
        _ index: String, _ schema: IndexSchema, _ connection: Connection
    ) throws {
        guard let own = schema.index else { return }
        let owner = try connection.context.first(SchemaSQL.ownerOfName, [.text(index)]) {
            (type: $0.text(at: 0) ?? "", table: $0.text(at: 1) ?? "")
        }
        guard let owner else {
            guard !SchemaSQL.isNameOfStore(index: index) else {
                throw StoreError(
                    .invalidParameter,
                    "\(index) is reserved for an index that stores create themselves; choose "
                        + "another name")
            }
            return
        }
        let statements = [own.sql(index), own.quotedSQL(index)]
        if try connection.context.hasSchema(index, as: statements) { return }
        throw StoreError(
            .invalidParameter,
            "the name \(index) is taken by the \(owner.type) of \(owner.table); choose another "
                + "name")
    }

    /// The names of full-text tables lose backslashes, and FTS4 creates auxiliary tables.
    private func requireFreeTable(
        _ schema: IndexSchema, _ registry: IndexRegistry, _ connection: Connection
    ) throws {
        guard schema.row.kind == .fullText, let table = schema.row.table else { return }
        let text = try connection.context.first(SchemaSQL.textOfName, [.text(table)]) {
            $0.text(at: 0) ?? ""
        }
        var isTaken = try registry.uses(table: table)
        if let text {
            isTaken = isTaken || !text.hasPrefix("CREATE VIRTUAL TABLE")
        } else {
            for suffix in SchemaSQL.fullTextSuffixes {
                let owner = [SQLValue.text(table + suffix)]
                let other = try connection.context.first(SchemaSQL.ownerOfName, owner) { _ in true }
                isTaken = isTaken || other != nil
            }
        }
        guard !isTaken else {
            throw StoreError(
                .invalidParameter,
                "the tables for the name \(schema.row.name) belong to another index; "
                    + "choose another name")
        }
    }

    /// Removes an index; see `DocumentCollection.deleteIndex`.
    func deleteIndex(_ index: String, in transaction: Transaction) throws -> Bool {
        try transaction.wrapping(name) {
            let connection = try transaction.writing()
            let registry = try IndexRegistry(connection)
            guard let row = try registry.row(index), row.store == name else { return false }
            transaction.endReaders()
            try transaction.savepoint {
                try IndexRemoval(context: connection.context).remove(row, from: registry)
                try transaction.forgetGoneIndexes()
            }
            return true
        }
    }

    /// Rebuilds an index from the documents; see `DocumentCollection.rebuildIndex`.
    func rebuildIndex(
        _ index: String, in transaction: Transaction, progress: ((IndexProgress) -> Bool)?
    ) throws {
        try transaction.wrapping(name) {
            let connection = try transaction.writing()
            guard let row = try IndexRegistry(connection).row(index), row.store == name else {
                throw StoreError(
                    .notFound, "\(connection.path) has no index \(index) of \(name.rawName)")
            }
            transaction.endReaders()
            try transaction.savepoint {
                try IndexRebuilding(
                    context: connection.context, progress: transaction.suspending(progress)
                ).run(row)
                try transaction.recordCollationVersion(of: row)
                if row.kind == .vector {
                    let progress = IndexProgressReport(steps: 1, transaction.suspending(progress))
                    try transaction.fillVectorIndex(row, progress)
                }
            }
        }
    }
}

extension Transaction {
    /// A progress report that makes every use of the transaction an error.
    fileprivate func suspending(
        _ progress: ((IndexProgress) -> Bool)?
    ) -> ((IndexProgress) -> Bool)? {
        progress.map { progress in
            { state in self.whileSuspended { progress(state) } }
        }
    }
}

extension IndexSpec {
    /// The objects of the schema that make up the index in a store.
    package func schema(of store: KeyStoreName) throws -> IndexSchema {
        let definition: IndexDefinition
        do {
            definition = try IndexDefinition(expressions, where: condition)
        } catch let error as StoreError where error.has(.invalidQuery) {
            throw StoreError.invalidQuery("the index \(name): \(error.message)", underlying: error)
        }
        switch kind {
        case .value: return try ValueIndex.schema(self, definition, store)
        case .fullText(let options):
            return try FullTextIndex.schema(self, definition, options, store)
        case .array(let path):
            return try ArrayIndex.schema(self, definition, path: path, store)
        case .predictive: return try PredictiveIndex.schema(self, definition, store)
        case .vector(let options):
            return try VectorIndexSchema.schema(self, definition, options, store)
        }
    }

    fileprivate func requireName() throws {
        guard !name.isEmpty, !name.hasNUL, !name.lowercased().hasPrefix("sqlite_") else {
            throw StoreError(
                .invalidParameter,
                "\"\(name)\" cannot be the name of an index: it is empty, contains U+0000 or "
                    + "begins with sqlite_")
        }
    }
}

extension IndexSchema {
    /// Whether an existing index is the same as this one, so that it need not be created.
    func isCurrent(_ other: IndexRow, in context: SQLContext) throws -> Bool {
        guard other.kind == row.kind else { return false }
        if let index {
            let statements = [index.sql(row.name), index.quotedSQL(row.name)]
            guard try context.hasSchema(row.name, as: statements) else { return false }
        }
        for table in tables {
            guard try context.hasSchema(table.name, as: [table.sql]) else { return false }
            // An index on a property differs from one without.
            if index == nil, try context.hasIndex(row.name, on: table.name) { return false }
        }
        if row.kind == .vector {
            for trigger in tables.flatMap(\.triggers) {
                guard try context.hasSchema(trigger.name, as: [trigger.sql]) else { return false }
            }
            return other.vectorOptions == row.vectorOptions && other.definition == row.definition
        }
        guard row.kind == .fullText else { return true }
        // The condition of a full-text index appears only in its triggers.
        return other.expression == nil || other.definition == row.definition
    }
}
