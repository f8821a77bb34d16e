internal import FleeceLite
internal import StoreFormat

/// Plans the values of one block's expressions.
///
/// It has no state of its own: how a value is used comes with each call, in a `ValueUse`.
struct ExpressionPlanner {
    /// Nil for the expressions of index definitions.
    let statement: QueryPlanner?
    let block: BlockSources
    /// The index tables that the block is joined with.
    var joins: [JoinPlan] = []
    /// The columns of a grouped query, which a subquery computes; nil for a query without groups.
    var groups: GroupColumns?
    /// Whether index values are unambiguous, so that subtypes are not needed.
    var trustsIndexes = false
    /// Whether a property in the form of results is read from the body by a single function call.
    var joinsResults = false

    init(_ statement: QueryPlanner?, _ block: BlockSources) {
        self.statement = statement
        self.block = block
    }

    /// The planner of index definitions.
    static var ofDefinition: ExpressionPlanner {
        ExpressionPlanner(nil, BlockSources(number: 0, [], outer: nil))
    }

    var options: TranslationOptions { statement?.options ?? TranslationOptions() }

    /// The error of planning an expression, at its position if that is known.
    func located(_ error: any Error, _ expression: BoundExpression) -> any Error {
        statement?.located(error, expression) ?? error
    }

    /// The planner of the documents, from which the columns of the groups are computed.
    var ungrouped: ExpressionPlanner {
        var planner = self
        planner.groups = nil
        return planner
    }

    /// The planner of the block that a source belongs to, which may be an outer one.
    func owner(of source: ResolvedSource) -> ExpressionPlanner {
        var planner = self
        while planner.block.number != source.block, let outer = planner.block.outer {
            planner = outer
        }
        return planner
    }

    /// How the rows of a source are read.
    func access(to source: ResolvedSource) -> PlannedSource.Access {
        let sources = owner(of: source).block.sources
        return sources.indices.contains(source.position) ? sources[source.position].access : .table
    }
}

extension ExpressionPlanner {
    /// An expression in an index, written exactly as LiteCore does: SQLite uses an index only for
    /// an identical expression, and LiteCore recreates an index whose text differs from its own.
    func exact(
        _ expression: BoundExpression, _ parts: TypedParts? = nil, element: ResolvedVariable? = nil
    ) throws -> SQLExpression {
        var use = ValueUse()
        use.isExact = true
        use.typedParts = parts
        use.element = element
        return try value(expression, use)
    }

    /// The value of an expression.
    func value(
        _ expression: BoundExpression, _ use: ValueUse = ValueUse()
    ) throws -> SQLExpression {
        do {
            return try planned(expression, use)
        } catch {
            throw located(error, expression)
        }
    }

    private func planned(
        _ expression: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        try statement?.countStep()
        if use.isExact || statement == nil {
            let sql = try computed(expression, use)
            if use.needsType, expression.encoding != .plain { use.typedParts?.add(sql) }
            return sql
        }
        if let groups, let known = try grouped(expression, groups) { return known }
        if let known = try groupedOutside(expression) { return known }
        if use.keepsSubtypes, expression.isBooleanWithoutSubtype {
            return .call("fl_bool", [try value(expression, use.typed(false))])
        }
        return try indexed(expression, use) ?? computed(expression, use)
    }

    /// The value of an expression that neither the groups nor an index provide as a whole.
    private func computed(
        _ expression: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        switch expression.form {
        case .literal(let literal): return self.literal(literal)
        case .array(let elements): return try call("array_of", elements, use)
        case .dictionary(let entries): return try dictionary(entries, use)
        case .property(let source, let path): return try property(path, of: source, use)
        case .variable(let variable, let path): return self.variable(variable, path, use)
        case .parameter(let name): return parameter(name)
        case .nested(let value, let path):
            return .call(
                "fl_nested_value",
                [try self.value(value, use.typed()), .string(path.description)])
        case .metadata(let property, let source): return metadata(property, source, use)
        case .operation(let known, let operands): return try operation(known, operands, use)
        case .function(let function, let arguments):
            return try self.function(function, arguments, use)
        case .call(let call): return try aggregate(call, use)
        case .subquery(let query): return .call("fl_plain", [try scalar(query)])
        case .collate(let collation, let value): return try collated(collation, value, use)
        case .cases(let subject, let branches, let otherwise):
            return try cases(subject, branches, otherwise, use)
        case .quantified(let quantifier): return try quantified(quantifier, use)
        case .match(let index, let words): return try match(index, words, use)
        case .rank(let index): return try rank(index)
        case .prediction(let model, let input, let property):
            return try prediction(model, input, property, use)
        case .blob(let source, let path):
            return .call("fl_blob", [body(of: source, use), .string(path.description)])
        }
    }

    /// Calls an SQL function with arguments that keep their types.
    func call(
        _ name: String, _ arguments: [BoundExpression], _ use: ValueUse
    ) throws -> SQLExpression {
        .call(name, try arguments.map { try value($0, use.typed()) })
    }

    private func dictionary(
        _ entries: [BoundEntry], _ use: ValueUse
    ) throws -> SQLExpression {
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .call(
            "dict_of", try sorted.flatMap { [.string($0.key), try value($0.value, use.typed())] })
    }

    private func literal(_ literal: QueryLiteral) -> SQLExpression {
        switch literal {
        case .missing: return .null
        case .null: return .call("fl_null", [])
        case .boolean(let bool): return .call("fl_bool", [.atom(bool ? "1" : "0")])
        case .integer(let number): return .atom("\(number)")
        // SQL has no unsigned integers: in an index it uses the nearest double.
        case .unsigned(let number):
            guard statement != nil else { return .atom("\(number)") }
            return .call("fl_unsigned", [.atom("\(Int64(bitPattern: number))")])
        case .real(let number): return .atom("\(number)")
        case .string(let text): return .string(text)
        }
    }

    /// The value of a parameter. Bound values have no subtypes: those that need one get it here.
    private func parameter(_ name: String) -> SQLExpression {
        switch options.parameters.form(of: name) {
        case .plain: .parameter(name)
        case .boolean: .call("fl_bool", [.parameter(name)])
        case .unsigned: .call("fl_unsigned", [.parameter(name)])
        }
    }
}

extension BoundExpression {
    /// Whether SQL computes a number although its value is a Boolean.
    var isBooleanWithoutSubtype: Bool {
        switch form {
        case .operation, .quantified, .match: encoding == .boolean
        case .collate(_, let value): value.isBooleanWithoutSubtype
        default: false
        }
    }

    /// Whether it is a property of a row.
    var isProperty: Bool {
        if case .property(_, let path) = form { !path.components.isEmpty } else { false }
    }

    /// The conditions that must all be true for this one to be true.
    package var conjuncts: [BoundExpression] {
        var conjuncts: [BoundExpression] = []
        addConjuncts(to: &conjuncts)
        return conjuncts
    }

    private func addConjuncts(to conjuncts: inout [BoundExpression]) {
        if case .operation(.and, let operands) = form {
            for operand in operands { operand.addConjuncts(to: &conjuncts) }
        } else {
            conjuncts.append(self)
        }
    }

    /// Whether it compares strings.
    package var isComparison: Bool {
        if case .operation(let known, _) = form { known.isComparison } else { false }
    }
}
