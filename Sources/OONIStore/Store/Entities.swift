internal import DocumentStore

/// Typed access to the documents of one collection.
struct Entities<Value: Codable & Sendable>: Sendable {
    let collection: DocumentCollection

    init(_ collection: DocumentCollection) {
        self.collection = collection
    }

    private var typed: TypedCollection<Value> { collection.of(Value.self) }

    /// The value of a document; nil if there is none.
    func get(_ key: String, in snapshot: Snapshot) throws -> Value? {
        try typed.value(key, in: snapshot)
    }

    /// A document for modification, which retains properties unknown to the type. Nil if there is
    /// none.
    func document(_ key: String, in snapshot: Snapshot) throws -> TypedDocument<Value>? {
        try typed.get(key, in: snapshot)
    }

    /// Writes a document that was read in the same transaction.
    func save(_ document: TypedDocument<Value>, in transaction: Transaction) throws {
        var document = document
        _ = try typed.save(&document, onConflict: .lastWriteWins, in: transaction)
    }

    /// Writes a value and retains the existing document's properties that are unknown to the type.
    func replace(_ value: Value, _ key: String, in transaction: Transaction) throws {
        guard var document = try? document(key, in: transaction) else {
            return try put(value, key, in: transaction)
        }
        document.value = value
        try save(document, in: transaction)
    }

    /// Writes a value, replacing an existing document.
    func put(_ value: Value, _ key: String, in transaction: Transaction) throws {
        _ = try typed.save(value, id: key, in: transaction)
    }

    /// Whether the properties of a document whose key has a prefix fulfil a condition; the
    /// condition is called with nil for a damaged document.
    func contains(
        prefix: String, in snapshot: Snapshot, where condition: (UnsafeFleeceDictionary?) -> Bool
    ) throws -> Bool {
        var isFound = false
        try collection.records(Self.range(prefix), in: snapshot).forEachRow { row in
            isFound = try row.withProperties(condition)
            return !isFound
        }
        return isFound
    }

    /// Purges a document: nothing is replicated, so tombstones are not needed.
    @discardableResult
    func remove(_ key: String, in transaction: Transaction) throws -> Bool {
        try collection.purge(key, in: transaction)
    }

    // Lists skip documents that cannot be read, so that a damaged one does not block a screen;
    // `verify` reports them.

    /// All values, in the order of their keys.
    func all(in snapshot: Snapshot) throws -> [Value] { try values(prefix: nil, in: snapshot) }

    /// The values whose keys have a prefix, in the order of their keys; nil for all.
    func values(prefix: String?, in snapshot: Snapshot) throws -> [Value] {
        var values: [Value] = []
        try forEach(prefix: prefix, in: snapshot) { _, value in
            if case .success(let value) = value { values.append(value) }
        }
        return values
    }

    /// Iterates over the documents whose keys have a prefix, or all; one that cannot be read is
    /// passed as its error.
    func forEach(
        prefix: String? = nil, in snapshot: Snapshot,
        _ body: (_ key: String, Result<Value, any Error>) throws -> Void
    ) throws {
        try typed.forEach(Self.range(prefix), in: snapshot, body)
    }

    /// Iterates over the documents whose keys have a prefix, or all, without decoding; damaged ones
    /// are skipped.
    func forEachDocument(
        prefix: String? = nil, in snapshot: Snapshot, _ body: (Document) throws -> Void
    ) throws {
        try collection.forEach(Self.range(prefix), in: snapshot) { document in
            if case .success(let document) = document { try body(document) }
        }
    }

    /// The keys that have a prefix, or all, in order.
    func keys(prefix: String? = nil, in snapshot: Snapshot) throws -> [String] {
        var options = Self.range(prefix)
        options.content = .metadata
        var keys: [String] = []
        try collection.records(options, in: snapshot).forEachRow { row in
            keys.append(row.key)
            return true
        }
        return keys
    }

    /// Sets when a document expires; nil for never.
    func setExpiration(
        _ timestamp: OONIStore.Instant?, of key: String, in transaction: Transaction
    ) throws {
        try collection.keyStore.setExpiration(timestamp?.milliseconds, of: key, in: transaction)
    }

    /// The size in bytes of the documents whose keys have a prefix.
    func size(prefix: String, in snapshot: Snapshot) throws -> Int {
        var options = Self.range(prefix)
        options.content = .metadata
        var size = 0
        try collection.records(options, in: snapshot).forEachRow { row in
            size += row.bodySize
            return true
        }
        return size
    }

    /// The last key that has a prefix, or of all keys; nil if there is no document.
    func lastKey(prefix: String? = nil, in snapshot: Snapshot) throws -> String? {
        var options = Self.range(prefix)
        swap(&options.startKey, &options.endKey)
        (options.descending, options.limit, options.content) = (true, 1, .metadata)
        return try collection.records(options, in: snapshot).next()?.key
    }

    private static func range(_ prefix: String?) -> RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        (options.startKey, options.endKey) = (prefix, prefix.map { $0 + "\u{10FFFF}" })
        return options
    }

    /// The documents returned by a query for whole documents.
    ///
    /// - Parameter limit: the maximum number of documents.
    func values(
        _ query: Query, _ parameters: QueryParameters = [:], limit: Int = .max,
        in snapshot: Snapshot
    ) throws -> [Value] {
        let decoder = FleeceRowDecoder()
        let rows = try query.rows(in: snapshot, parameters)
        var values: [Value] = []
        while values.count < limit, let row = try rows.next() {
            guard let properties = row[0].dictionary else { continue }
            do {
                values.append(try decoder.decode(Value.self, from: properties.value))
            } catch is DecodingError {
                continue
            }
        }
        return values
    }
}

/// The collections of a store, with the types of their documents.
struct Collections: Sendable {
    let schema: ProbeSchema

    init(_ schema: ProbeSchema) {
        self.schema = schema
    }

    var descriptors: Entities<OONIStore.TestDescriptor> { Entities(schema.descriptors) }
    var results: Entities<OONIStore.TestResult> { Entities(schema.results) }
    var measurements: Entities<OONIStore.Measurement> { Entities(schema.measurements) }
    var networks: Entities<OONIStore.Network> { Entities(schema.networks) }
    var urls: Entities<OONIStore.Url> { Entities(schema.urls) }
    var articles: Entities<OONIStore.Article> { Entities(schema.articles) }
    var info: DocumentCollection { schema.info }

    var identifiers: Identifiers { Identifiers(store: self) }
}
