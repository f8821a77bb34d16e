package import FleeceLite
internal import StoreFormat

extension QueryExpression {
    /// Calls `body` with the expression and all subexpressions, outermost first, except those in
    /// subqueries.
    package func visit(_ body: (QueryExpression) -> Void) {
        body(self)
        for child in children { child.visit(body) }
    }

    /// The direct subexpressions.
    package var children: [QueryExpression] {
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
        case .located(_, let value): [value]
        }
    }
}

extension QueryCall {
    /// The direct subexpressions.
    var expressions: [QueryExpression] {
        arguments + (filter.map { [$0] } ?? []) + (window?.expressions ?? [])
    }
}

extension QueryWindow {
    /// The direct subexpressions.
    var expressions: [QueryExpression] {
        partitions + order.map(\.expression)
            + [frame?.start, frame?.end].compactMap { $0?.distance }
    }
}

extension QueryFrame.Bound {
    /// The distance from the current row.
    var distance: QueryExpression? {
        switch self {
        case .preceding(let distance), .following(let distance): distance
        case .unboundedPreceding, .currentRow, .unboundedFollowing: nil
        }
    }
}

extension QueryExpression {
    /// Returns the expression with its properties replaced. Subqueries, and functions with
    /// `DISTINCT`, `FILTER` or `OVER`, are not changed.
    package func mappingProperties(
        _ map: (PropertyPath) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        try mappingLeaves { leaf in
            if case .property(let path) = leaf { return try map(path) }
            return leaf
        }
    }

    /// Returns the expression with its leaves replaced. Subqueries, and functions with `DISTINCT`,
    /// `FILTER` or `OVER`, count as leaves.
    func mappingLeaves(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .call, .subquery, .rank, .blob:
            try map(self)
        default: try mappingChildren { try $0.mappingLeaves(map) }
        }
    }

    /// The expression with calls of `div` for `/`, which truncates the quotient of two integers in
    /// an index: a query is translated to these calls, so only they can be indexed for it.
    package var withExactDivision: QueryExpression {
        let exact = mappingChildren(\.withExactDivision)
        guard case .operation(.divide, let operands) = exact, let first = operands.first else {
            return exact
        }
        return operands.dropFirst().reduce(first) { .function("div", [$0, $1]) }
    }
}

extension QueryExpression {
    /// The expression that a path stands for: a property, or document metadata, namely `_id`,
    /// `_sequence`, `_deleted`, `_expiration`, `_revisionID` and `_rowid`.
    ///
    /// `people._id` is read as the ID of the source `people`. If there is no such source, it is a
    /// property after all, which must be distinguished from `people._ID`.
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
    /// The metadata property with a name, case-insensitively as in LiteCore; nil if there is none.
    init?(named name: some StringProtocol) {
        let lowercase = String(name).asciiLowercased
        guard
            let known = Self.allCases.first(where: {
                $0 != .all && $0.rawValue.asciiLowercased == lowercase
            })
        else { return nil }
        self = known
    }

    /// Its name among the properties of a document.
    package var shortName: String { "_" + rawValue }

    /// Whether an index expression can read it from a source with this name. The only source of an
    /// index is the documents themselves, which SQL++ calls `_`.
    package func isKnown(ofSource source: String?) -> Bool { source == nil || source == "_" }
}

extension [QueryDictionaryEntry] {
    /// The entries sorted by the bytes of their keys, as in a stored document.
    package var sortedByKey: [QueryDictionaryEntry] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}
