internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

// The paths of an UPDATE.
extension QueryEdit {
    /// Throws `.invalidQuery` if a property is changed twice.
    static func requireDifferent(_ paths: [PropertyPath]) throws {
        var known: Set<PropertyPath> = []
        for path in paths where !known.insert(path).inserted {
            throw StoreError.invalidQuery("\(path) is changed twice by one UPDATE")
        }
    }
}

extension MutableDocument {
    /// Throws `.invalidParameter` if a value would be lost on the way to a property, or the array
    /// on the way is too short.
    func requirePlace(for path: PropertyPath) throws {
        for count in 1..<max(path.components.count, 1) {
            let owner = PropertyPath(Array(path.components.prefix(count)))
            let value = self[owner]
            let rest = PropertyPath([path.components[count]])
            switch (path.components[count], value?.kind) {
            case (.key, nil), (.key, .null), (.key, .dictionary): continue
            case (.index(let index), .array):
                let size = value?.array?.count ?? 0
                if index < size, index >= -size { continue }
                throw StoreError(
                    .invalidParameter,
                    "\(path) cannot be set in the document \(id): \(owner) ends before \(rest)")
            case (_, let kind):
                throw StoreError(
                    .invalidParameter,
                    "\(path) cannot be set in the document \(id): \(owner) is "
                        + "\(kind?.inWords ?? "missing"), so it has no \(rest)")
            }
        }
    }
}

extension FleeceValue.Kind {
    fileprivate var inWords: String {
        switch self {
        case .undefined: "missing"
        case .null: "null"
        case .bool: "a truth"
        case .integer, .double: "a number"
        case .string: "a text"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
