internal import FleeceLite

/// The properties of a document that the type of its value does not have, which saving retains.
struct UnknownProperties {
    /// The value's properties merged with the unknown ones.
    let merged: MutableFleeceDictionary

    /// Whether an encoded value lacks keys of the source, which may be unknown to the type.
    static func mayBeMissing(in new: NewRevision, beside source: FleeceDocument) -> Bool {
        guard let properties = source.root.dictionary, !properties.isEmpty else { return false }
        guard let body = new.body.flatMap({ RawBody($0, sharedKeys: new.sharedKeys) }) else {
            return true
        }
        return !body.hasAllKeys(of: properties, depth: deepest)
    }

    /// Nil if the value is not a dictionary.
    ///
    /// Determines the type's properties by encoding the document's decoded value: properties of the
    /// document that are not in the encoding are unknown; others that are now missing were set to
    /// nil.
    init?<Value: Codable>(
        of value: Value, beside body: FleeceDocument, _ encoder: FleeceRowEncoder,
        _ decoder: FleeceRowDecoder
    ) throws {
        let new = try FleeceDocument(trusted: encoder.encode(value)).root.dictionary
        guard let new, let source = body.root.dictionary else { return nil }
        // If the document cannot be decoded as the type, all of its properties are unknown.
        let old = try? decoder.decode(Value.self, from: body.root)
        let known = try old.flatMap { try FleeceDocument(trusted: encoder.encode($0)) }?
            .root.dictionary
        merged = Self.merged(new, source, known, depth: 0)
    }

    /// The maximum depth of the merge; deeper values are taken from the new value.
    private static let deepest = 32

    private static func merged(
        _ new: FleeceDictionary, _ source: FleeceDictionary, _ known: FleeceDictionary?, depth: Int
    ) -> MutableFleeceDictionary {
        var merged = MutableFleeceDictionary(new)
        for (key, value) in source {
            guard let newer = new[key] else {
                if known?[key] == nil { merged[key] = .value(value) }
                continue
            }
            if let known = known?[key],
                let both = Self.merged(newer, value, known, depth: depth + 1)
            {
                merged[key] = both
            }
        }
        return merged
    }

    /// Nil if the result is the new value unchanged.
    private static func merged(
        _ new: FleeceValue, _ source: FleeceValue, _ known: FleeceValue, depth: Int
    ) -> MutableFleeceValue? {
        guard depth <= deepest else { return nil }
        if let new = new.dictionary, let source = source.dictionary, let known = known.dictionary {
            return .dictionary(merged(new, source, known, depth: depth))
        }
        guard let new = new.array, let source = source.array, let known = known.array else {
            return nil
        }
        var elements = MutableFleeceArray(new)
        // A changed element may be a different one than the former element at its index.
        for index in 0..<min(new.count, source.count, known.count)
        where new[index] == known[index] {
            let both = merged(new[index], source[index], known[index], depth: depth + 1)
            if let both { elements[index] = both }
        }
        return .array(elements)
    }
}
