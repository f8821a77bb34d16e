package import DocumentStore

/// Tells of properties that were asked for and that no document has, which is why an answer is
/// empty: a slip in a name, or a string without quotes.
package enum MissingProperties {
    /// The most documents of a collection that are looked at, and the most bytes of their bodies.
    static let (maximumDocuments, maximumBytes) = (10_000, 64 << 20)
    /// The most properties of a command that are looked for, and the most notes: a query may name
    /// any number of properties, and each is compared with the names in each document.
    private static let (maximumProperties, maximumNotes) = (100, 5)

    /// Writes a note for each property that none of the documents has.
    ///
    /// The command has done its work: what goes wrong here is not told.
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
            // One that is damaged has no properties.
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

/// Looks for a property in documents.
private struct PropertySearch {
    private let property: QueriedProperty
    private(set) var isFound = false
    /// How many steps of the path lead to an object in some document.
    private var depth = 0
    /// The names in those objects.
    private var names: Set<String> = []
    /// What may still be looked at in a document, which can use its parts again and again.
    private var budget = 0

    private static let maximumNames = 500
    /// Elements of an array that are looked at.
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
            // How long arrays are is not a matter of names.
            if let element = value[0] { descend(element, step + 1) }
            return
        }
        for index in 0..<min(value.elementCount, Self.maximumElements)
        where !isFound && budget > 0 {
            budget -= 1
            if let object = value[index]?.dictionary { look(at: object, step: step) }
        }
    }

    /// The property as far as it is missing, and what may have been meant; nil if it was found.
    var hint: String? {
        guard !isFound else { return nil }
        let missing = PropertyPath(Array(property.path.components.prefix(depth + 1)))
        let text = Text.line(missing.description)
        guard case .key(let name) = missing.components.last else { return text }
        if let nearest = EditDistance.nearest(to: name, among: names) {
            let path = PropertyPath(missing.components.dropLast() + [.key(nearest)])
            return "\(text); did you mean \(Text.line(path.description))?"
        }
        return property.isBareOperand ? "\(text); a string stands in quotes: '\(text)'" : text
    }
}

/// A document that was named and is not there, or a pattern that none matches.
package enum MissingDocument {
    /// What is said of it.
    package static func message(_ name: String, _ collection: CollectionName) -> String {
        KeyPattern(name) == nil
            ? "document \"\(Text.line(name))\" is not in the collection \(collection)"
            : "no document of the collection \(collection) matches \"\(Text.line(name))\""
    }

    /// Says it of one among several, while the command goes on.
    package static func report(_ name: String, _ collection: CollectionName) {
        StandardError.current.writeAboutSubject(message(name, collection), status: .notFound)
    }

    /// Says it of several, and ends the command if there are any: as done in part if others were
    /// there.
    package static func report(
        _ names: [String], _ collection: CollectionName, found: Int
    ) throws {
        guard !names.isEmpty else { return }
        for name in names { report(name, collection) }
        throw ReportedFailure(status: status(found: found))
    }

    /// The status of a command that did not find all that it was told of.
    package static func status(found: Int) -> ExitStatus { found > 0 ? .partial : .notFound }
}
