package import DocumentStore

/// The values observed at one path of the documents: at a property, or in an array.
package final class PropertyTally {
    /// The types that are distinguished.
    package enum Kind: Int, CaseIterable {
        case object, array, string, integer, number, boolean, null
        /// Binary data, which is a string in JSON.
        case data

        /// The name in JSON Schema, except for `data`.
        package var name: String { "\(self)" }
    }

    /// The number of values.
    package private(set) var count = 0
    /// The properties of the observed objects, in the order of their first occurrence.
    private(set) var names: [String] = []
    /// The observed elements of arrays.
    private(set) var elements: PropertyTally?
    /// Some of the scalar values, as JSON.
    package private(set) var examples: [JSONText] = []
    private var properties: [String: PropertyTally] = [:]
    private var counts = [Int](repeating: 0, count: Kind.allCases.count)

    private static let maximumExamples = 3
    private static let longestExample = 60

    /// The number of values of a type.
    package func count(of kind: Kind) -> Int { counts[kind.rawValue] }

    /// The observed types, the most frequent first.
    package var kinds: [Kind] {
        Kind.allCases.filter { count(of: $0) > 0 }.sorted { count(of: $0) > count(of: $1) }
    }

    /// The values observed at a property.
    subscript(name: String) -> PropertyTally? { properties[name] }

    /// Adds a document's properties.
    func add(_ properties: UnsafeFleeceDictionary, _ bounds: inout TallyBounds) {
        count += 1
        counts[Kind.object.rawValue] += 1
        addProperties(properties, &bounds, depth: 0)
    }

    private func addProperties(
        _ properties: UnsafeFleeceDictionary, _ bounds: inout TallyBounds, depth: Int
    ) {
        properties.forEachPair { key, value in
            let name = String(decoding: key, as: UTF8.self)
            property(name, &bounds)?.add(value, &bounds, depth: depth + 1)
        }
    }

    /// Adds a value and its children.
    private func add(_ value: UnsafeFleeceValue, _ bounds: inout TallyBounds, depth: Int) {
        guard let kind = Kind(value), bounds.spendValue() else { return }
        count += 1
        counts[kind.rawValue] += 1
        guard depth < TallyBounds.depth else { return }
        switch kind {
        case .object:
            if let properties = value.dictionary {
                addProperties(properties, &bounds, depth: depth)
            }
        case .array:
            let elements = elements ?? PropertyTally()
            self.elements = elements
            value.forEachElement { elements.add($0, &bounds, depth: depth + 1) }
        default: addExample(value, kind)
        }
    }

    private func property(_ name: String, _ bounds: inout TallyBounds) -> PropertyTally? {
        if let known = properties[name] { return known }
        guard bounds.spendSlot() else { return nil }
        let new = PropertyTally()
        properties[name] = new
        names.append(name)
        return new
    }

    private func addExample(_ value: UnsafeFleeceValue, _ kind: Kind) {
        guard examples.count < Self.maximumExamples, kind != .null, kind != .boolean else { return }
        let size = value.utf8?.count ?? value.data?.count ?? 0
        guard size <= Self.longestExample else { return }
        var text = JSONText()
        let maximum = 8 * Self.longestExample
        guard (try? value.appendJSON(to: &text, maximumBytes: maximum)) != nil,
            !examples.contains(where: { $0.utf8 == text.utf8 })
        else { return }
        examples.append(text)
    }
}

extension PropertyTally.Kind {
    /// Returns nil for bytes that are not a value.
    fileprivate init?(_ value: UnsafeFleeceValue) {
        switch value.kind {
        case .undefined: return nil
        case .null: self = .null
        case .bool: self = .boolean
        case .integer: self = .integer
        case .double: self = .number
        case .string: self = .string
        case .data: self = .data
        case .array: self = .array
        case .dictionary: self = .object
        }
    }
}

/// Limits on the work, independent of the contents of the documents.
struct TallyBounds {
    /// The maximum depth below the document.
    static let depth = 32
    /// The maximum number of values of one document: a small one that refers to the same values
    /// repeatedly may expand to many.
    private static let values = 1 << 20
    /// The maximum number of paths in all documents, for objects whose keys are IDs.
    private static let maximumPaths = 10_000

    private var valuesLeft = values
    private var pathsLeft = maximumPaths
    /// Whether a limit was exceeded, so that some properties were skipped.
    private(set) var isExceeded = false

    /// Resets the limits per document.
    mutating func beginDocument() { valuesLeft = Self.values }

    fileprivate mutating func spendValue() -> Bool {
        guard valuesLeft > 0 else { return exceed() }
        valuesLeft -= 1
        return true
    }

    fileprivate mutating func spendSlot() -> Bool {
        guard pathsLeft > 0 else { return exceed() }
        pathsLeft -= 1
        return true
    }

    private mutating func exceed() -> Bool {
        isExceeded = true
        return false
    }
}
