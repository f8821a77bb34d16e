internal import FleeceLite
internal import StoreFormat

// Functions, and constructs that are not SQL operators.
extension ExpressionPlanner {
    func function(
        _ function: QueryFunction, _ arguments: [BoundExpression], _ use: ValueUse
    ) throws -> SQLExpression {
        if function.name == QueryFunction.vectorDistance { return try vectorDistance(arguments) }
        if function.name == "array_count", arguments.count == 1,
            let count = try count(arguments[0], use)
        {
            return count
        }
        let collation = function.name == "contains" ? use.collation?.take() : nil
        let values = try arguments.enumerated().map { index, argument in
            try value(
                argument,
                use.typed(!(use.isExact && function.isBlind(toArgument: index, argument, use)))
            )
        }
        return .call(
            function.sqlName, values + (collation.map { [.string($0.sqlName)] } ?? []))
    }

    /// Counts the elements of a property without copying the array.
    private func count(_ array: BoundExpression, _ use: ValueUse) throws -> SQLExpression? {
        guard case .property(let source, let path) = array.form, !path.components.isEmpty else {
            return nil
        }
        if hasBody(source, for: path) {
            return .call("fl_count", [body(of: source, use), .string(path.description)])
        }
        // As for the property of a document: missing if it is not an array.
        guard owner(of: source).groups != nil, source.isSearchable else { return nil }
        return .call("fl_count", [try value(array, use.typed()), .string("")])
    }

    func collated(
        _ collation: QueryCollation, _ operand: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        var inner = use
        let pending = PendingCollation(collation)
        inner.collation = pending
        let value = try value(operand, inner)
        // A comparison keeps its precedence among the enclosing operators.
        let placed: SQLExpression = operand.isComparison ? value : .within(10, value)
        return pending.isTaken ? placed : .collated(placed, collation)
    }

    func cases(
        _ subject: BoundExpression?, _ branches: [BoundCase],
        _ otherwise: BoundExpression?, _ use: ValueUse
    ) throws -> SQLExpression {
        .cases(
            subject: try subject.map { try operand($0, false, use) },
            try branches.map {
                SQLCase(
                    condition: try operand($0.condition, false, use),
                    value: try value($0.value, use))
            }, otherwise: try otherwise.map { try value($0, use) } ?? .call("fl_null", []))
    }

    // MARK: Arrays

    func quantified(
        _ quantifier: BoundQuantifier, _ use: ValueUse
    ) throws -> SQLExpression {
        if let value = quantifier.contained, use.collation?.isTaken != false || !isFree(use) {
            return try contains(quantifier.collection, value, use)
        }
        guard !quantifier.condition.facts.contains(.aggregate) else {
            throw StoreError.invalidQuery(
                "an aggregate function is not allowed in ANY with COLLATE")
        }
        var count: SQLExpression?
        if quantifier.kind == .anyAndEvery {
            count = try self.count(of: quantifier.collection, use)
        }
        // A single value that is not a collection is its own element, with its type.
        let rows = try collectionArguments(quantifier.collection, use.typed())
        let condition = try value(quantifier.condition, use.typed(false))
        return .quantified(
            SQLQuantifier(
                kind: quantifier.kind, rows: .call("fl_each", rows),
                alias: quantifier.variable.sqlAlias,
                condition: quantifier.kind == .any ? condition : .not(condition), count: count))
    }

    private func count(of collection: BoundExpression, _ use: ValueUse) throws -> SQLExpression {
        if case .property(let source, let path) = collection.form, hasBody(source, for: path) {
            return .call("fl_count", [body(of: source, use), .string(path.description)])
        }
        guard statement != nil else { return try call("array_count", [collection], use) }
        // The same for a value: missing if it is not a collection.
        return .call("fl_count", [try value(collection, use.typed()), .string("")])
    }

    private func contains(
        _ collection: BoundExpression, _ other: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        let arguments = try collectionArguments(collection, use.typed())
        let path = arguments.count > 1 ? [] : [SQLExpression.null]
        return .call("fl_contains", arguments + path + [try value(other, use.typed())])
    }

    /// The arguments of a function of a collection: a property by its path, or any other value.
    func collectionArguments(
        _ collection: BoundExpression, _ use: ValueUse
    ) throws -> [SQLExpression] {
        switch collection.form {
        case .property(let source, let path) where hasCollections(source, at: path):
            return [body(of: source, use)] + Self.argument(path)
        case .variable(let variable, let path) where use.element !== variable:
            return [.column(variable.sqlAlias, "body")] + Self.argument(path)
        default: return [try value(collection, use)]
        }
    }

    private static func argument(_ path: PropertyPath) -> [SQLExpression] {
        path.components.isEmpty ? [] : [.string(path.description)]
    }

    private func hasCollections(_ source: ResolvedSource, at path: PropertyPath) -> Bool {
        if hasBody(source, for: path) { return true }
        // An element is in the body of the table function's row.
        guard case .elements = source.kind, case .elements = access(to: source) else {
            return false
        }
        return path.components.isEmpty && owner(of: source).groups == nil
    }

    // MARK: Subqueries

    func scalar(_ query: BoundQuery) throws -> SQLExpression {
        .scalar(try rows(query, .typed))
    }

    func rows(
        _ query: BoundQuery, _ form: ColumnForm
    ) throws -> RowsPlan {
        guard let statement else {
            throw StoreError.invalidQuery("a subquery is not allowed here")
        }
        return try statement.rows(query, form, outer: self)
    }
}

extension ResolvedSource {
    /// Whether a path into its rows leads into a document or an element.
    fileprivate var isSearchable: Bool {
        switch kind {
        case .documents, .elements: true
        case .rows, .indexedDocuments, .indexedElements: false
        }
    }
}

extension BoundQuantifier {
    /// The value whose presence in the collection it tests: `ANY x IN y SATISFIES x = value`; nil
    /// for other conditions.
    fileprivate var contained: BoundExpression? {
        guard kind == .any, case .operation(.equal, let operands) = condition.form,
            operands.count == 2, case .variable(let used, let path) = operands[0].form,
            used === variable, path.components.isEmpty,
            !operands[1].freeVariables.contains(where: { $0 === variable })
        else { return nil }
        return operands[1]
    }
}

extension QueryFunction {
    /// Whether a value from an index on an argument suffices for it.
    func isBlind(toArgument index: Int, _ argument: BoundExpression, _ use: ValueUse) -> Bool {
        guard index < untypedArguments else { return false }
        // The variable stands for the elements of an array index.
        if case .variable(let variable, let path) = argument.form, variable === use.element {
            return !path.components.isEmpty
        }
        return argument.isProperty
    }
}
