internal import FleeceLite
package import StoreFormat

/// A dictionary with known keys, in any case.
struct QueryJSONClauses {
    private var values: [String: FleeceValue] = [:]
    /// The name of the dictionary's owner, for errors.
    private let owner: String

    /// - Throws: `.invalidQuery` if a key is unknown or occurs twice.
    init(_ dictionary: FleeceDictionary, of owner: String, _ known: Set<String>) throws {
        self.owner = owner
        for (key, value) in dictionary {
            let name = key.asciiUppercased
            guard known.contains(name) else {
                throw StoreError.invalidQuery(
                    "\(owner) has no key \(key), only \(known.sorted().joined(separator: ", "))")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw StoreError.invalidQuery("\(owner) has \(name) twice")
            }
        }
    }

    subscript(name: String) -> FleeceValue? { values[name] }

    /// The elements of an array; empty if the key does not exist.
    func list(_ name: String) throws -> [FleeceValue] {
        guard let value = values[name] else { return [] }
        guard let array = value.array else {
            throw StoreError.invalidQuery(
                "\(name) of \(owner) must be an array: \(QueryJSONReader.text(value))")
        }
        return Array(array)
    }

    func text(_ name: String) throws -> String? {
        guard let value = values[name] else { return nil }
        guard let text = value.string else {
            throw StoreError.invalidQuery(
                "\(name) of \(owner) must be a string: \(QueryJSONReader.text(value))")
        }
        return text
    }

    /// - Throws: if one of these keys exists.
    func refuse(_ names: [String], because reason: String) throws {
        for name in names where values[name] != nil {
            throw StoreError.invalidQuery("\(owner) cannot have \(name), \(reason)")
        }
    }

    /// A Boolean; false if the key does not exist.
    func bool(_ name: String) throws -> Bool {
        guard let value = values[name] else { return false }
        if let number = value.int { return number != 0 }
        guard let bool = value.bool else {
            throw StoreError.invalidQuery(
                "\(name) of \(owner) must be true or false: \(QueryJSONReader.text(value))")
        }
        return bool
    }

    /// The collection of `COLLECTION` and `SCOPE`; the default collection without either.
    func collection() throws -> QueryCollectionName {
        let scope = try text("SCOPE")
        guard let collection = try text("COLLECTION") else {
            guard scope == nil else {
                throw StoreError.invalidQuery("\(owner) has a SCOPE but no COLLECTION")
            }
            return QueryCollectionName(scope: nil, collection: "_")
        }
        guard let scope else { return QueryCollectionName(parsing: collection) }
        return QueryCollectionName(scope: scope, collection: collection)
    }
}

extension StoreError {
    /// The error of an invalid expression or query.
    package static func invalidQuery(_ message: String, underlying: (any Error)? = nil)
        -> StoreError
    {
        StoreError(.invalidQuery, message, underlying: underlying)
    }
}
