extension QueryExpression {
    /// Calls `body` with the expression and each one in it, from the outside in.
    func visit(_ body: (QueryExpression) -> Void) {
        body(self)
        for child in children { child.visit(body) }
    }

    /// The expressions that it is made of.
    var children: [QueryExpression] {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .rank, .blob: []
        case .array(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        case .nested(let value, _), .collate(_, let value): [value]
        case .operation(_, let operands): operands
        case .function(_, let arguments): arguments
        case .cases(let subject, let branches, let otherwise):
            (subject.map { [$0] } ?? []) + branches.flatMap { [$0.condition, $0.value] }
                + (otherwise.map { [$0] } ?? [])
        case .quantified(let quantifier): [quantifier.collection, quantifier.condition]
        case .match(_, let words): [words]
        case .prediction(let model, let input, _): [model, input]
        }
    }
}
