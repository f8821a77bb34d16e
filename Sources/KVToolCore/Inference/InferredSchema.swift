package import DocumentStore

/// What documents of a collection look like, by a sample of them.
package struct InferredSchema {
    package let collection: CollectionName
    /// How many documents there are.
    package let documents: Int
    /// How many of them were looked at.
    package private(set) var sampled = 0
    /// How many of those could not be read.
    package private(set) var damaged = 0
    /// What was seen; the documents themselves at its root.
    let root = PropertyTally()
    private var bounds = TallyBounds()

    /// Whether there was more than can be told.
    package var isCut: Bool { bounds.isExceeded }

    /// Looks at about `sample` documents, which are spread over the collection; at all for 0.
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

// A row a place.
extension InferredSchema {
    /// A place where values were seen.
    package struct Place {
        /// As a query names it, with `[]` for what is in an array.
        package let path: String
        package let tally: PropertyTally
        /// In how many of the objects that it could be in it was; nil for elements of arrays.
        package let share: Double?
    }

    /// All places but the documents themselves, each before what is in it.
    package var places: [Place] {
        var places: [Place] = []
        Self.visit(root, path: "", &places)
        return places
    }

    private static func visit(
        _ tally: PropertyTally, path: String, _ places: inout [Place]
    ) {
        for name in tally.names {
            guard let property = tally[name] else { continue }
            let path = path + (path.isEmpty ? "" : ".") + Query.quotedName(name)
            let objects = tally.count(of: .object)
            let share = objects > 0 ? Double(property.count) / Double(objects) : 0
            places.append(Place(path: path, tally: property, share: share))
            visit(property, path: path, &places)
        }
        guard let elements = tally.elements, elements.count > 0 else { return }
        places.append(Place(path: path + "[]", tally: elements, share: nil))
        visit(elements, path: path + "[]", &places)
    }
}

// JSON Schema, https://json-schema.org/draft/2020-12
extension InferredSchema {
    /// The schema that all documents of the sample keep to, with `x-count` for how many values
    /// there were, and `x-types` where they were of several types.
    package func jsonSchema() -> JSONText {
        var object = JSONObject()
        object.add("$schema", "https://json-schema.org/draft/2020-12/schema")
        object.add("schema", "kvtool.schema/1")
        object.add("title", collection.description)
        object.add("documents", documents)
        object.add("sampled", sampled)
        object.add("damaged", damaged > 0 ? damaged : nil)
        object.add("cutOff", isCut ? true : nil)
        // What a collection without documents says of them.
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

    /// How often each type was seen.
    package var frequencies: JSONText {
        var object = JSONObject()
        for kind in kinds { object.add(kind.name, count(of: kind)) }
        return object.finished()
    }

    /// An integer is a number to JSON Schema, and bytes are a text.
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
