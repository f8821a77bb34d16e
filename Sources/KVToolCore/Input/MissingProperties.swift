package import DocumentStore

/// Reports properties that a query without results refers to and that no document has: a misspelled
/// name, or a string without quotes.
package enum MissingProperties {
    /// The maximum number of documents of a collection to examine, and of bytes of their bodies.
    static let (maximumDocuments, maximumBytes) = (10_000, 64 << 20)
    /// The maximum number of properties to search for, and of notes. A query may name any number of
    /// properties, and each is compared with the names in each document.
    private static let (maximumProperties, maximumNotes) = (100, 5)

    /// Writes a note for each property that none of the documents has.
    ///
    /// Ignores errors, because the command itself has completed.
    package static func report(_ properties: [QueriedProperty], in snapshot: Snapshot) {
        let properties = properties.prefix(maximumProperties)
        var collections: [CollectionName] = []
        for property in properties where !collections.contains(property.collection) {
            collections.append(property.collection)
        }
        let notes = collections.flatMap { collection -> [String] in
            let own = properties.filter { $0.collection == collection }
            guard !Interruption.isRequested else { return [] }
            return (try? Self.notes(of: own, collection, in: snapshot)) ?? []
        }
        for note in notes.prefix(maximumNotes) { StandardError.current.write("note: \(note)") }
    }

    private static func notes(
        of properties: [QueriedProperty], _ collection: CollectionName, in snapshot: Snapshot
    ) throws -> [String] {
        var searches = properties.map { PropertySearch($0) }
        var (documents, bytes, isCut) = (0, 0, false)
        var options = RecordEnumerator.Options()
        options.order = .unsorted
        options.content = .body
        try DocumentCollection(collection).records(options, in: snapshot).forEachRow { row in
            guard documents < maximumDocuments, bytes < maximumBytes else {
                isCut = true
                return false
            }
            documents += 1
            bytes += row.bodySize
            // A damaged document has no properties.
            try? row.withProperties { properties in
                guard let properties else { return }
                for index in searches.indices { searches[index].look(at: properties) }
            }
            return searches.contains { !$0.isFound } && !Interruption.isRequested
        }
        guard documents > 0 else { return [] }
        let owner = collection == .default ? "" : " of \(collection)"
        let subject =
            isCut ? "none of the first \(documents) documents\(owner)" : "no document\(owner)"
        return searches.lazy.compactMap(\.hint).prefix(maximumNotes)
            .map { "\(subject) has the property \($0)" }
    }
}

/// Searches for a property in documents.
private struct PropertySearch {
    private let property: QueriedProperty
    private(set) var isFound = false
    /// The largest number of path components that lead to an object in a document.
    private var depth = 0
    /// The property names in those objects.
    private var names: Set<String> = []
    /// The remaining number of values to examine in a document, which may refer to the same values
    /// repeatedly.
    private var budget = 0

    private static let maximumNames = 500
    /// The maximum number of elements of an array to examine.
    private static let maximumElements = 20
    private static let budgetOfDocument = 10_000

    init(_ property: QueriedProperty) { self.property = property }

    mutating func look(at properties: UnsafeFleeceDictionary) {
        guard !isFound else { return }
        budget = Self.budgetOfDocument
        look(at: properties, step: 0)
    }

    private mutating func look(at object: UnsafeFleeceDictionary, step: Int) {
        guard case .key(let key) = property.path.components[step] else { return }
        if let value = object[key] { return descend(value, step + 1) }
        guard step >= depth, budget > 0 else { return }
        budget -= object.ownCount
        if step > depth { names = [] }
        depth = step
        guard names.count < Self.maximumNames else { return }
        object.forEachPair { name, _ in
            if names.count < Self.maximumNames {
                names.insert(String(decoding: name, as: UTF8.self))
            }
        }
    }

    private mutating func descend(_ value: UnsafeFleeceValue, _ step: Int) {
        guard step < property.path.components.count else {
            isFound = true
            return
        }
        if let object = value.dictionary { return look(at: object, step: step) }
        if case .index = property.path.components[step] {
            // The index does not matter, only the names.
            if let element = value[0] { descend(element, step + 1) }
            return
        }
        for index in 0..<min(value.elementCount, Self.maximumElements)
        where !isFound && budget > 0 {
            budget -= 1
            if let object = value[index]?.dictionary { look(at: object, step: step) }
        }
    }

    /// The missing part of the path, with a suggestion; nil if the property was found.
    var hint: String? {
        guard !isFound else { return nil }
        let missing = PropertyPath(Array(property.path.components.prefix(depth + 1)))
        let text = Text.line(missing.description)
        guard case .key(let name) = missing.components.last else { return text }
        if let nearest = EditDistance.nearest(to: name, among: names) {
            let path = PropertyPath(missing.components.dropLast() + [.key(nearest)])
            return "\(text); did you mean \(Text.line(path.description))?"
        }
        return property.isBareOperand ? "\(text); a string literal needs quotes: '\(text)'" : text
    }
}

/// Reports IDs that do not exist, and patterns without matches.
package enum MissingDocument {
    /// The error message.
    package static func message(_ name: String, _ collection: CollectionName) -> String {
        KeyPattern(name) == nil
            ? "document \"\(Text.line(name))\" is not in the collection \(collection)"
            : "no document of the collection \(collection) matches \"\(Text.line(name))\""
    }

    /// Reports one of several documents; the command continues.
    package static func report(_ name: String, _ collection: CollectionName) {
        StandardError.current.writeAboutSubject(message(name, collection), status: .notFound)
    }

    /// Reports several documents, and ends the command if there are any: with partial success if
    /// others were found.
    package static func report(
        _ names: [String], _ collection: CollectionName, found: Int
    ) throws {
        guard !names.isEmpty else { return }
        for name in names { report(name, collection) }
        throw ReportedFailure(status: status(found: found))
    }

    /// The status of a command that did not find all requested documents.
    package static func status(found: Int) -> ExitStatus { found > 0 ? .partial : .notFound }
}
