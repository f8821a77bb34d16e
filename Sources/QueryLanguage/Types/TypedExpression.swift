internal import FleeceLite
internal import StoreFormat

/// An expression with the types that its values can have, and what else a plan must know of it.
package final class TypedExpression {
    package let form: BoundExpression<TypedExpression>
    package let type: ValueType
    package let facts: ExpressionFacts
    /// The sources whose rows it reads, those of subqueries excepted.
    package let sources: SourceUse
    /// The variables that it uses and that are not its own.
    package let freeVariables: [ResolvedVariable]
    /// The number of expressions in it.
    let size: Int

    init(_ form: BoundExpression<TypedExpression>, _ type: ValueType) {
        self.form = form
        self.type = type
        var summary = ExpressionSummary()
        summary.add(form)
        facts = summary.facts
        sources = summary.sources
        freeVariables = summary.freeVariables
        size = summary.size
    }

    /// How SQL represents its values.
    var encoding: QueryResultType {
        // The type of a bound value is not known to SQL.
        if case .parameter = form { return .any }
        if type.isSubset(of: [.number, .string, .missing]) { return .plain }
        if case .literal = form { return .any }
        if type.isSubset(of: [.number, .string, .nothing]) { return .plain }
        return type.isSubset(of: [.boolean, .nothing]) ? .boolean : .any
    }
}

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

/// What an expression has of its parts, and of its own.
private struct ExpressionSummary {
    var facts: ExpressionFacts = []
    var sources = SourceUse.none
    var freeVariables: [ResolvedVariable] = []
    var size = 1

    mutating func add(_ form: BoundExpression<TypedExpression>) {
        switch form {
        case .literal, .parameter: break
        case .property(let source, _), .metadata(_, let source), .blob(let source, _):
            read(source)
        case .match(let index, let words):
            add(words)
            read(index.source)
        case .rank(let index): read(index.source)
        case .variable(let variable, _):
            facts.insert(.varies)
            freeVariables.append(variable)
        case .array(let values), .operation(_, let values): for value in values { add(value) }
        case .nested(let value, _), .collate(_, let value): add(value)
        case .function(let function, let arguments):
            for argument in arguments { add(argument) }
            if function.name == QueryFunction.vectorDistance { facts.insert(.vectorDistance) }
        case .call(let call): add(call)
        case .subquery(let query): add(query)
        case .quantified(let quantifier):
            add(quantifier.collection)
            add(quantifier.condition)
            freeVariables.removeAll { $0 === quantifier.variable }
        case .prediction(let model, let input, _):
            add(model)
            add(input)
            facts.formUnion([.prediction, .varies])
        case .dictionary, .cases: for part in form.parts { add(part) }
        }
    }

    private mutating func add(_ part: TypedExpression) {
        facts.formUnion(part.facts)
        sources = sources.union(part.sources)
        if !part.freeVariables.isEmpty { freeVariables += part.freeVariables }
        size += part.size
    }

    private mutating func read(_ source: ResolvedSource) {
        facts.insert(.varies)
        sources = sources.union(.one(source))
    }

    private mutating func add(_ call: BoundCall<TypedExpression>) {
        for part in call.parts { add(part) }
        facts.insert(.varies)
        if call.window != nil { facts.insert(.window) } else { facts.insert(.aggregate) }
        if call.function.name == "array_agg" { facts.insert(.collects) }
    }

    private mutating func add(_ query: BoundQuery<TypedExpression>) {
        facts.formUnion([.subquery, .varies])
        sources = .several
        freeVariables += query.freeVariables
    }
}
