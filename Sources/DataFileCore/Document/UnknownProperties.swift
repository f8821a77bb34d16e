internal import FleeceLite

/// Properties of a document that the type of its value does not have: saving must not lose them.
struct UnknownProperties {
    /// The value's properties and the unknown ones.
    let merged: MutableFleeceDictionary

    /// Whether a value, as it was written, may lack some: it does not have all keys.
    static func mayBeMissing(in new: NewRevision, beside source: FleeceDocument) -> Bool {
        guard let properties = source.root.dictionary, !properties.isEmpty else { return false }
        guard let body = new.body.flatMap({ RawBody($0, sharedKeys: new.sharedKeys) }) else {
            return true
        }
        return !body.hasAllKeys(of: properties, depth: deepest)
    }

    /// Nil if the value is not a dictionary.
    ///
    /// Which ones the type knows is seen from what the document's value is encoded as: what is in
    /// the document and not in that is unknown; the rest of what is missing now was set to nil.
    init?<Value: Codable>(
        of value: Value, beside body: FleeceDocument, _ encoder: FleeceRowEncoder,
        _ decoder: FleeceRowDecoder
    ) throws {
        let new = try FleeceDocument(trusted: encoder.encode(value)).root.dictionary
        guard let new, let source = body.root.dictionary else { return nil }
        // What is no such value, which others can have saved, has nothing that the type knows.
        let old = try? decoder.decode(Value.self, from: body.root)
        let known = try old.flatMap { try FleeceDocument(trusted: encoder.encode($0)) }?
            .root.dictionary
        merged = Self.merged(new, source, known, depth: 0)
    }

    /// What is deeper is taken as it is.
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

    /// Nil if it is the new value as it is.
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
        // An element that has changed may be another one than the one that stood there.
        for index in 0..<min(new.count, source.count, known.count)
        where new[index] == known[index] {
            let both = merged(new[index], source[index], known[index], depth: depth + 1)
            if let both { elements[index] = both }
        }
        return .array(elements)
    }
}
