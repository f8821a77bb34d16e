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

    /// Nil if the value is no dictionary.
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

    /// Deeper dictionaries are taken as they are.
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
            guard depth < deepest, let inner = value.dictionary, let newer = newer.dictionary,
                let known = known?[key]?.dictionary
            else { continue }
            merged[key] = .dictionary(Self.merged(newer, inner, known, depth: depth + 1))
        }
        return merged
    }
}
