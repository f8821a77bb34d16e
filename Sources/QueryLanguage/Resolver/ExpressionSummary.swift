internal import StoreFormat

/// What an expression has of its parts, and of its own.
struct ExpressionSummary {
    var facts: ExpressionFacts = []
    var sources = SourceUse.none
    var freeVariables: [ResolvedVariable] = []
    var size = 1

    mutating func add(_ form: BoundExpression.Form) {
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
            use(variable)
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

    private mutating func add(_ part: BoundExpression) {
        facts.formUnion(part.facts)
        sources = sources.union(part.sources)
        for variable in part.freeVariables { use(variable) }
        size += part.size
    }

    private mutating func use(_ variable: ResolvedVariable) {
        if !freeVariables.contains(where: { $0 === variable }) { freeVariables.append(variable) }
    }

    private mutating func read(_ source: ResolvedSource) {
        facts.insert(.varies)
        sources = sources.union(.one(source))
    }

    private mutating func add(_ call: BoundCall) {
        for part in call.parts { add(part) }
        facts.insert(.varies)
        if call.window != nil { facts.insert(.window) } else { facts.insert(.aggregate) }
        if call.function.name == "array_agg" { facts.insert(.collects) }
    }

    private mutating func add(_ query: BoundQuery) {
        facts.formUnion([.subquery, .varies])
        sources = .several
        query.forEachExpression { for variable in $0.freeVariables { use(variable) } }
    }
}
