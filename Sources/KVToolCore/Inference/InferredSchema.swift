package import DocumentStore

/// The schema of a collection's documents, inferred from a sample.
package struct InferredSchema {
    package let collection: CollectionName
    /// The number of documents in the collection.
    package let documents: Int
    /// The number of documents in the sample.
    package private(set) var sampled = 0
    /// The number of sampled documents that could not be read.
    package private(set) var damaged = 0
    /// The observed values; the root stands for the documents themselves.
    let root = PropertyTally()
    private var bounds = TallyBounds()

    /// Whether the schema is incomplete because a limit was exceeded.
    package var isCut: Bool { bounds.isExceeded }

    /// Samples about `sample` documents, distributed over the collection; all documents for 0.
    package init(_ collection: DocumentCollection, sample: Int, in snapshot: Snapshot) throws {
        _ = try snapshot.requireSharedKeys()
        self.collection = collection.name
        documents = try collection.count(in: snapshot).live
        let interval = sample > 0 ? max(1, documents / sample) : 1
        var options = RecordEnumerator.Options()
        options.order = .unsorted
        options.content = .body
        var number = 0
        try collection.records(options, in: snapshot).forEachRow { row in
            defer { number += 1 }
            guard number % interval == 0 else { return true }
            add(row)
            return true
        }
    }

    private mutating func add(_ row: borrowing RecordRow) {
        bounds.beginDocument()
        sampled += 1
        let isSound = try? row.withProperties { properties in
            guard let properties else { return row.bodySize == 0 }
            root.add(properties, &bounds)
            return true
        }
        if isSound != true { damaged += 1 }
    }
}

// The schema as rows.
extension InferredSchema {
    /// A path at which values were observed.
    package struct Entry {
        /// The path as in a query, with `[]` for elements of an array.
        package let path: String
        package let tally: PropertyTally
        /// The fraction of the enclosing objects that have the property; nil for elements of
        /// arrays.
        package let share: Double?
    }

    /// All paths except the root, each before its children.
    package var entries: [Entry] {
        var entries: [Entry] = []
        Self.visit(root, path: "", &entries)
        return entries
    }

    private static func visit(
        _ tally: PropertyTally, path: String, _ entries: inout [Entry]
    ) {
        for name in tally.names {
            guard let property = tally[name] else { continue }
            let path = path + (path.isEmpty ? "" : ".") + Query.quotedName(name)
            let objects = tally.count(of: .object)
            let share = objects > 0 ? Double(property.count) / Double(objects) : 0
            entries.append(Entry(path: path, tally: property, share: share))
            visit(property, path: path, &entries)
        }
        guard let elements = tally.elements, elements.count > 0 else { return }
        entries.append(Entry(path: path + "[]", tally: elements, share: nil))
        visit(elements, path: path + "[]", &entries)
    }
}

// JSON Schema, https://json-schema.org/draft/2020-12
extension InferredSchema {
    /// The schema that all sampled documents satisfy, with `x-count` for the number of values, and
    /// `x-types` if values have several types.
    package func jsonSchema() -> JSONText {
        var object = JSONObject()
        object.add("$schema", "https://json-schema.org/draft/2020-12/schema")
        object.add("schema", OutputSchema.name("schema"))
        object.add("title", collection.description)
        object.add("documents", documents)
        object.add("sampled", sampled)
        object.add("damaged", damaged > 0 ? damaged : nil)
        object.add("cutOff", isCut ? true : nil)
        // An empty collection has documents of this type.
        if root.count == 0 { object.add("type", "object") }
        object.add(propertiesOf: root.schema)
        return object.finished()
    }
}

extension PropertyTally {
    fileprivate var schema: JSONObject {
        var object = JSONObject()
        guard count > 0 else { return object }
        addTypes(to: &object)
        if !names.isEmpty { addProperties(to: &object) }
        if let elements, elements.count > 0 { object.add("items", elements.schema.finished()) }
        if !examples.isEmpty { object.add("examples", examples) }
        object.add("x-count", count)
        return object
    }

    private func addTypes(to object: inout JSONObject) {
        let types = schemaTypes
        if types.count == 1 {
            object.add("type", types[0])
        } else {
            object.add("type", types)
        }
        if kinds == [.data] { object.add("contentEncoding", "base64") }
        guard kinds.count > 1 else { return }
        object.add("x-types", frequencies)
    }

    /// The number of values of each type.
    package var frequencies: JSONText {
        var object = JSONObject()
        for kind in kinds { object.add(kind.name, count(of: kind)) }
        return object.finished()
    }

    /// The types in JSON Schema, where integers are also numbers, and binary data is a string.
    private var schemaTypes: [String] {
        var types: [String] = []
        for kind in kinds {
            if kind == .integer, count(of: .number) > 0 { continue }
            let type = kind == .data ? "string" : kind.name
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    private func addProperties(to object: inout JSONObject) {
        var properties = JSONObject()
        for name in names {
            if let property = self[name] { properties.add(name, property.schema.finished()) }
        }
        object.add("properties", properties.finished())
        let required = names.filter { self[$0]?.count == count(of: .object) }
        if !required.isEmpty { object.add("required", required) }
    }
}
