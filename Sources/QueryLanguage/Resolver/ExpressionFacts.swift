/// Properties of an expression that follow from its parts.
package struct ExpressionFacts: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// It contains an aggregate function, window functions excluded.
    package static let aggregate = ExpressionFacts(rawValue: 1)
    /// It contains a function with `OVER`.
    package static let window = ExpressionFacts(rawValue: 2)
    /// It contains an aggregate function that collects values in row order.
    static let collects = ExpressionFacts(rawValue: 4)
    static let subquery = ExpressionFacts(rawValue: 8)
    static let prediction = ExpressionFacts(rawValue: 16)
    static let vectorDistance = ExpressionFacts(rawValue: 32)
    /// Its value can differ between rows.
    package static let varies = ExpressionFacts(rawValue: 64)
}

/// Which sources an expression reads.
package enum SourceUse {
    case none
    case one(ResolvedSource)
    case several

    func union(_ other: SourceUse) -> SourceUse {
        switch (self, other) {
        case (.none, let use), (let use, .none): use
        case (.one(let source), .one(let same)): source === same ? self : .several
        default: .several
        }
    }

    /// The only source.
    package var only: ResolvedSource? {
        if case .one(let source) = self { source } else { nil }
    }
}
