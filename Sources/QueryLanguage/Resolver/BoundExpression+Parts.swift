extension BoundExpression.Form {
    /// The direct parts, except those of subqueries, in the order of the text.
    package var parts: [BoundExpression] {
        switch self {
        case .literal, .property, .variable, .parameter, .metadata, .rank, .blob, .subquery: []
        case .array(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        case .nested(let value, _), .collate(_, let value), .match(_, let value): [value]
        case .operation(_, let operands): operands
        case .function(_, let arguments): arguments
        case .call(let call): call.parts
        case .cases(let subject, let branches, let otherwise):
            (subject.map { [$0] } ?? []) + branches.flatMap { [$0.condition, $0.value] }
                + (otherwise.map { [$0] } ?? [])
        case .quantified(let quantifier): [quantifier.collection, quantifier.condition]
        case .prediction(let model, let input, _): [model, input]
        }
    }
}

extension BoundExpression {
    /// The first aggregate function in it, or the first function with `OVER`.
    func aggregateCall(isWindow: Bool) -> BoundCall? {
        guard facts.contains(isWindow ? .window : .aggregate) else { return nil }
        if case .call(let call) = form, (call.window != nil) == isWindow { return call }
        // Not `lazy.compactMap {…}.first`, which calls the closure twice, at each level.
        for part in form.parts {
            if let call = part.aggregateCall(isWindow: isWindow) { return call }
        }
        return nil
    }
}

extension BoundCall {
    /// The direct parts.
    package var parts: [BoundExpression] {
        arguments + (filter.map { [$0] } ?? []) + (window?.parts ?? [])
    }
}

extension BoundWindow {
    fileprivate var parts: [BoundExpression] {
        partitions + order.map(\.expression)
            + [frame?.start, frame?.end].compactMap { $0?.distance }
    }
}

extension BoundFrame.Bound {
    /// The distance from the current row.
    package var distance: BoundExpression? {
        switch self {
        case .preceding(let distance), .following(let distance): distance
        case .unboundedPreceding, .currentRow, .unboundedFollowing: nil
        }
    }
}
