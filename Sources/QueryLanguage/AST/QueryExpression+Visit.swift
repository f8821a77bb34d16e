package import FleeceLite
internal import StoreFormat

extension QueryExpression {
    /// Calls `body` with the expression and each one in it, from the outside in; with none in
    /// subqueries of it.
    package func visit(_ body: (QueryExpression) -> Void) {
        body(self)
        for child in children { child.visit(body) }
    }

    /// Whether a query stands somewhere in it.
    var hasSubquery: Bool {
        var found = false
        visit { if case .subquery = $0 { found = true } }
        return found
    }

    /// The expressions that it is made of.
    var children: [QueryExpression] {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .rank, .blob, .subquery: []
        case .array(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        case .nested(let value, _), .collate(_, let value): [value]
        case .operation(_, let operands): operands
        case .function(_, let arguments): arguments
        case .call(let call): call.expressions
        case .cases(let subject, let branches, let otherwise):
            (subject.map { [$0] } ?? []) + branches.flatMap { [$0.condition, $0.value] }
                + (otherwise.map { [$0] } ?? [])
        case .quantified(let quantifier): [quantifier.collection, quantifier.condition]
        case .match(_, let words): [words]
        case .prediction(let model, let input, _): [model, input]
        }
    }
}

extension QueryCall {
    /// The expressions that it is made of.
    var expressions: [QueryExpression] {
        arguments + (filter.map { [$0] } ?? []) + (window?.expressions ?? [])
    }
}

extension QueryWindow {
    /// The expressions that it is made of.
    var expressions: [QueryExpression] {
        partitions + order.map(\.expression)
            + [frame?.start, frame?.end].compactMap { $0?.distance }
    }
}

extension QueryFrame.Bound {
    /// How far it is from the current row.
    var distance: QueryExpression? {
        switch self {
        case .preceding(let distance), .following(let distance): distance
        case .unboundedPreceding, .currentRow, .unboundedFollowing: nil
        }
    }
}

extension QueryExpression {
    /// The expression with its properties replaced by other expressions; subqueries, and functions
    /// with `DISTINCT`, `FILTER` or `OVER`, stay as they are.
    package func mappingProperties(
        _ map: (PropertyPath) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        try mappingLeaves { leaf in
            if case .property(let path) = leaf { return try map(path) }
            return leaf
        }
    }

    /// The expression with those in it that consist of no others replaced; subqueries, and
    /// functions with `DISTINCT`, `FILTER` or `OVER`, count as such.
    func mappingLeaves(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .call, .subquery, .rank, .blob:
            try map(self)
        default: try mappingChildren { try $0.mappingLeaves(map) }
        }
    }
}

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
        let lowercase = String(name).asciiLowercased
        guard
            let known = Self.allCases.first(where: {
                $0 != .all && $0.rawValue.asciiLowercased == lowercase
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
