internal import FleeceLite

extension QueryExpression {
    /// What a path stands for: a property, or what is known of a document besides its properties,
    /// which `_id`, `_sequence`, `_deleted`, `_expiration`, `_revisionID` and `_rowid` are.
    ///
    /// `people._id` is taken for the ID of the source `people`; where there is no such source it is
    /// a property after all, so that it is told from `people._ID`.
    static func reading(_ path: PropertyPath) -> QueryExpression {
        guard path.components.count <= 2, case .key(let last) = path.components.last,
            last.utf8.first == UInt8(ascii: "_"), let meta = MetaProperty(named: last.dropFirst())
        else { return .property(path) }
        guard path.components.count == 2 else { return .meta(meta, source: nil) }
        guard last.hasSameBytes(as: meta.shortName), case .key(let source) = path.components.first
        else { return .property(path) }
        return .meta(meta, source: source)
    }
}

extension MetaProperty {
    /// The one with a name, in any case as in LiteCore; nil if there is none.
    init?(named name: some StringProtocol) {
        let lowercase = String(asciiLowercase: name.utf8)
        guard
            let known = Self.allCases.first(where: {
                $0 != .all && String(asciiLowercase: $0.rawValue.utf8) == lowercase
            })
        else { return nil }
        self = known
    }

    /// What it is called among the properties of a document.
    package var shortName: String { "_" + rawValue }

    /// Whether an expression of an index asks for it by this name of a source: the documents
    /// themselves are the only one there, which SQL++ calls `_`.
    package func isKnown(ofSource source: String?) -> Bool { source == nil || source == "_" }
}

extension [QueryDictionaryEntry] {
    /// By the bytes of the keys, as they stand in a document.
    package var sortedByKey: [QueryDictionaryEntry] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
