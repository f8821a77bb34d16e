extension QueryExpression {
    /// Calls `body` with the expression and each one in it, from the outside in; with none in
    /// queries inside of it.
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
