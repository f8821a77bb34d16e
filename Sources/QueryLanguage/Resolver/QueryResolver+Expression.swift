internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

// Expressions.
extension QueryResolver {
    /// Resolves the names of an expression.
    ///
    /// - Throws: `.invalidQuery` for an expression that is not allowed in its place.
    func expression(
        _ expression: QueryExpression, _ context: ResolverContext
    ) throws -> BoundExpression {
        if case .located(let position, let value) = expression {
            let resolved = try position.locating { try self.expression(value, context) }
            origins?.note(resolved, position)
            return resolved
        }
        try count()
        switch expression {
        case .property(let path): return try property(path, context)
        case .meta(let property, let owner): return try metadata(property, owner, context)
        default: return try nested { BoundExpression(try form(of: expression, context)) }
        }
    }

    private func form(
        of expression: QueryExpression, _ context: ResolverContext
    ) throws -> BoundExpression.Form {
        func all(_ expressions: [QueryExpression]) throws -> [BoundExpression] {
            try expressions.map { try self.expression($0, context) }
        }
        switch expression {
        case .literal(let literal): return .literal(try requireText(literal))
        case .array(let elements): return .array(try all(elements))
        case .dictionary(let entries):
            return .dictionary(try entries.map { try entry($0, context) })
        case .variable(let name, let path): return .variable(try variable(name, context), path)
        case .parameter(let name):
            use(parameter: name)
            return .parameter(name)
        case .nested(let value, let path): return .nested(try self.expression(value, context), path)
        case .operation(let known, let operands):
            return try operation(known, operands, context)
        case .function(let name, let arguments): return try function(name, arguments, context)
        case .call(let call): return .call(try self.call(call, context))
        case .subquery(let query): return .subquery(try scalar(query, context))
        case .collate(let collation, let value):
            return .collate(collation, try self.expression(value, context))
        case .cases(let subject, let branches, let otherwise):
            return .cases(
                subject: try subject.map { try self.expression($0, context) },
                try branches.map {
                    BoundCase(
                        condition: try self.expression($0.condition, context),
                        value: try self.expression($0.value, context))
                }, otherwise: try otherwise.map { try self.expression($0, context) })
        case .quantified(let quantifier):
            return .quantified(try self.quantifier(quantifier, context))
        case .match(let index, let words):
            _ = try catalog(for: "MATCH()")
            return .match(
                try context.names.fullTextIndex(index),
                words: try self.expression(words, context))
        case .rank(let index):
            _ = try catalog(for: "RANK()")
            return .rank(try context.names.fullTextIndex(index))
        case .prediction(let model, let input, let property):
            return .prediction(
                model: try self.expression(model, context),
                input: try self.expression(input, context), property: property)
        case .blob(let path): return try blob(path, context)
        case .property, .meta, .located:
            return try self.expression(expression, context).form
        }
    }

    private func entry(
        _ entry: QueryDictionaryEntry, _ context: ResolverContext
    ) throws -> BoundEntry {
        BoundEntry(
            key: try requireText(entry.key), value: try expression(entry.value, context))
    }

    private func requireText(_ literal: QueryLiteral) throws -> QueryLiteral {
        if case .string(let text) = literal { _ = try requireText(text) }
        return literal
    }

    @discardableResult
    private func requireText(_ text: String) throws -> String {
        guard !text.hasNUL else {
            throw StoreError.invalidQuery("a string in an expression cannot contain U+0000")
        }
        return text
    }
}

// Operators.
extension QueryResolver {
    private func operation(
        _ known: QueryOperator, _ operands: [QueryExpression], _ context: ResolverContext
    ) throws -> BoundExpression.Form {
        switch (known, operands.last?.bare) {
        case (.exists, .subquery(let query)?):
            let inner = BoundExpression(.subquery(try subquery(query, context)))
            return .operation(.exists, [inner])
        case (.in, .subquery(let query)?) where operands.count == 2,
            (.notIn, .subquery(let query)?) where operands.count == 2:
            let value = try expression(operands[0], context)
            let inner = try operands[1].position.locating {
                let inner = try subquery(query, context)
                try requireOneColumn(inner, "a subquery after IN")
                return inner
            }
            return .operation(known, [value, BoundExpression(.subquery(inner))])
        default:
            return .operation(known, try operands.map { try expression($0, context) })
        }
    }

    private func subquery(
        _ query: QuerySelect, _ context: ResolverContext
    ) throws -> BoundQuery {
        _ = try catalog(for: "a subquery")
        let outerContext = OuterContext(
            outer: context.names, variables: context.variables,
            tables: context.names.scope.tables)
        return try self.query(query, outerContext)
    }

    private func scalar(
        _ query: QuerySelect, _ context: ResolverContext
    ) throws -> BoundQuery {
        let inner = try subquery(query, context)
        try requireOneColumn(inner, "a scalar subquery")
        return inner
    }

    private func requireOneColumn(
        _ query: BoundQuery, _ what: String
    ) throws {
        guard query.columnNames.count == 1 else {
            throw StoreError.invalidQuery(
                "\(what) must have 1 column, not \(query.columnNames.count)")
        }
    }

    private func quantifier(
        _ quantifier: QueryQuantifier, _ context: ResolverContext
    ) throws -> BoundQuantifier {
        // `x = value` is a single function call for each document, as is an aggregate of them.
        let context = quantifier.isContainment ? context : context.ofOneRow
        let collection = try expression(quantifier.collection, context)
        let variable = ResolvedVariable(
            name: quantifier.variable, sqlAlias: context.newAlias(ofVariable: quantifier.variable))
        var inner = context
        inner.variables.append(variable)
        return BoundQuantifier(
            kind: quantifier.kind, variable: variable, collection: collection,
            condition: try expression(quantifier.condition, inner))
    }

    private func variable(_ name: String, _ context: ResolverContext) throws -> ResolvedVariable {
        guard let variable = context.variables.last(where: { $0.name == name }) else {
            throw StoreError.invalidQuery("there is no variable \(name) here")
        }
        return variable
    }
}

extension ResolverContext {
    /// SQL names are case-insensitive: within `x`, the variable `X` needs another table name.
    fileprivate func newAlias(ofVariable name: String) -> String {
        let taken =
            variables.map { $0.sqlAlias.asciiLowercased } + names.scope.sqlAliases
        var table = "_" + name
        while taken.contains(table.sqlIdentifier.asciiLowercased) { table += "_" }
        return table.sqlIdentifier
    }
}

extension QueryQuantifier {
    /// Whether it only tests whether a collection contains a value: `ANY x IN y SATISFIES x = z`.
    fileprivate var isContainment: Bool {
        guard kind == .any, case .operation(.equal, let operands) = condition.bare,
            operands.count == 2, operands[0].bare == .variable(variable, PropertyPath([]))
        else { return false }
        var uses = false
        operands[1].visit { if case .variable(variable, _) = $0 { uses = true } }
        return !uses
    }
}
