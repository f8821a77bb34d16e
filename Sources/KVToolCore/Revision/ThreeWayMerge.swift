package import DocumentStore

/// A merge of several versions of a document's properties.
///
/// A property that one version changed, or several in the same way, gets the changed value. A
/// dictionary that several versions changed is merged property by property; arrays, blobs and
/// other values are not taken apart.
///
/// Without an ancestor it is not known which version changed a property: only properties that are
/// the same in all of them are merged.
package struct ThreeWayMerge {
    /// A property that several versions changed in different ways.
    package struct Conflict {
        package let path: PropertyPath
        /// The value in each version; nil if it has none.
        package let values: [FleeceValue?]
        /// The value before the changes; nil if there was none, or if it is not known.
        package let ancestor: FleeceValue?
    }

    /// The merged properties, with a `MergeMarker` in place of each conflict.
    package private(set) var properties: MutableFleeceDictionary = [:]
    package private(set) var conflicts: [Conflict] = []
    private let names: [String]

    /// The number of levels of dictionaries that are merged.
    private static let maximumDepth = 16

    /// - Parameters:
    ///   - ancestor: the properties before the changes; nil if they are not known.
    ///   - versions: the names of the versions, and their properties; nil for none.
    package init(
        from ancestor: FleeceDictionary?,
        to versions: [(name: String, properties: FleeceDictionary?)]
    ) {
        names = versions.map(\.name)
        let before = ancestor.map { Before.value($0.value) } ?? .unknown
        properties = merged(before, versions.map(\.properties), at: [])
    }

    /// A value before the changes.
    private enum Before {
        case unknown
        case value(FleeceValue?)

        /// Whether different dictionaries in its place can be merged.
        var isDivisible: Bool {
            switch self {
            case .unknown: true
            case .value(let value): value?.divisible != nil
            }
        }

        func property(_ key: String) -> Before {
            switch self {
            case .unknown: .unknown
            case .value(let value): .value(value?.dictionary?[key])
            }
        }
    }

    private mutating func merged(
        _ before: Before, _ versions: [FleeceDictionary?], at path: [PropertyPath.Component]
    ) -> MutableFleeceDictionary {
        var result: MutableFleeceDictionary = [:]
        var seen: Set<[UInt8]> = []
        let keys = versions.flatMap { $0?.map(\.key) ?? [] }
        // By bytes, like keys: Swift's == treats some different keys as equal.
        for key in keys where seen.insert(Array(key.utf8)).inserted {
            result[key] = merged(
                before.property(key), versions.map { $0?[key] }, at: path + [.key(key)])
        }
        return result
    }

    private mutating func merged(
        _ before: Before, _ values: [FleeceValue?], at path: [PropertyPath.Component]
    ) -> MutableFleeceValue? {
        if let agreed = Self.agreed(before, values) { return agreed.map { .value($0) } }
        let inner = values.compactMap { $0?.divisible }
        if before.isDivisible, inner.count == values.count, path.count < Self.maximumDepth {
            return .dictionary(merged(before, inner, at: path))
        }
        var ancestor: FleeceValue?
        if case .value(let value) = before { ancestor = value }
        let conflict = Conflict(path: PropertyPath(path), values: values, ancestor: ancestor)
        conflicts.append(conflict)
        return MergeMarker.value(of: conflict, names)
    }

    /// The value on which the versions agree, which can be none; nil if they do not.
    private static func agreed(_ before: Before, _ values: [FleeceValue?]) -> FleeceValue?? {
        guard case .value(let old) = before else {
            return values.allSatisfy { $0 == values[0] } ? .some(values[0]) : nil
        }
        let changed = values.filter { $0 != old }
        guard let first = changed.first else { return .some(old) }
        return changed.allSatisfy { $0 == first } ? .some(first) : nil
    }
}

extension FleeceValue {
    /// A dictionary whose properties have a meaning of their own; nil for other values, such as
    /// blobs.
    fileprivate var divisible: FleeceDictionary? {
        dictionary.flatMap { $0["@type"] == nil ? $0 : nil }
    }
}

/// An object in place of a property with a conflict, in a text that a person edits.
///
///     "name": {"<<<<<<< conflict": {"ancestor": "Ada", "local": "Eve", "remote": "Ida"}}
package enum MergeMarker {
    /// The only property of the object.
    package static let key = "<<<<<<< conflict"

    /// The marker for a conflict.
    ///
    /// - Parameter names: the names of the versions.
    static func value(
        of conflict: ThreeWayMerge.Conflict, _ names: [String]
    ) -> MutableFleeceValue {
        var versions: MutableFleeceDictionary = [:]
        for (name, value) in zip(names, conflict.values) {
            versions[name] = value.map { .value($0) }
        }
        versions["ancestor"] = conflict.ancestor.map { .value($0) }
        return .dictionary([key: .dictionary(versions)])
    }

    /// Throws an error for the first marker in a text, with the path of the property.
    ///
    /// - Parameters:
    ///   - value: the value of the text.
    ///   - text: the text, for the number of the line.
    package static func requireNone(in value: FleeceValue, _ text: [UInt8]) throws {
        guard let path = path(in: value, []) else { return }
        let key = Array(key.utf8)
        let offset = text.indices.first { text[$0...].starts(with: key) }
        let location = offset.map { ", line \(TextLocation(offset: $0, in: text[...]).line)" } ?? ""
        throw ToolError("the conflict of \(Text.line(path.description))\(location) is not resolved")
    }

    private static func path(
        in value: FleeceValue, _ path: [PropertyPath.Component]
    ) -> PropertyPath? {
        if let dictionary = value.dictionary {
            guard dictionary[key] == nil else { return PropertyPath(path) }
            for (key, inner) in dictionary {
                if let found = self.path(in: inner, path + [.key(key)]) { return found }
            }
        }
        guard let array = value.array else { return nil }
        for (index, inner) in array.enumerated() {
            if let found = self.path(in: inner, path + [.index(index)]) { return found }
        }
        return nil
    }
}
