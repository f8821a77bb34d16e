internal import StoreFormat

/// The second stage of a translation: determines which types the values of each expression can
/// have.
package struct QueryTyper {
    /// What is known of the values of parameters.
    private let parameters: ParameterTypes
    /// Nil unless an error is being located.
    private let origins: QueryOrigins?

    package init(
        _ parameters: ParameterTypes = ParameterTypes(), _ origins: QueryOrigins? = nil
    ) {
        self.parameters = parameters
        self.origins = origins
    }

    /// Determines the types in a query.
    package func type(_ query: ResolvedQuery) -> BoundQuery<TypedExpression> {
        query.query.mapping(type)
    }

    /// Determines the types in an expression.
    package func type(_ expression: ResolvedExpression) -> TypedExpression {
        let form = expression.form.mapping(type)
        let typed = TypedExpression(form, self.type(of: form))
        origins?.note(typed, as: expression)
        return typed
    }

    private func type(of form: BoundExpression<TypedExpression>) -> ValueType {
        switch form {
        case .literal(let literal): ValueType(literal)
        case .array, .dictionary: .collection
        case .property, .variable, .nested, .subquery, .prediction, .blob: .any
        case .parameter(let name): parameters.type(of: name)
        case .metadata(let property, _): property.resultType
        case .operation(let known, _): known.resultType
        case .function(let function, _): ValueType(function.result)
        case .call(let call): ValueType(call.function.result)
        case .collate(_, let value): value.type
        case .cases: .any
        case .quantified, .match: [.boolean, .nothing]
        case .rank: [.number, .missing]
        }
    }
}

/// What is known of the values of a query's parameters.
@usableFromInline
package struct ParameterTypes: Hashable, Sendable {
    /// How the value of a parameter is passed to SQLite.
    @usableFromInline
    package enum Form: Hashable, Sendable {
        case plain, boolean, unsigned
    }

    /// The parameters that are bound in a special form.
    @usableFromInline package var forms: [String: Form] = [:]
    /// The parameters that are strings, or numbers that all comparisons treat alike, in order.
    @usableFromInline package var plain: [String] = []
    /// The parameters that are arrays with elements that SQL and JSON compare differently, in
    /// order.
    @usableFromInline package var oddLists: [String] = []

    @inlinable
    package init() {}

    func form(of name: String) -> Form { forms[name] ?? .plain }

    /// Whether the value is a string, or a number that all comparisons treat alike.
    func isPlain(_ name: String) -> Bool { forms[name] == nil && plain.contains(name) }

    fileprivate func type(of name: String) -> ValueType {
        switch form(of: name) {
        case .boolean: .boolean
        case .unsigned: .unsigned
        case .plain: plain.contains(name) ? [.number, .string] : .any
        }
    }
}

extension BoundQuery<TypedExpression> {
    /// The variables of enclosing expressions that it uses.
    var freeVariables: [ResolvedVariable] {
        with.flatMap(\.query.freeVariables) + body.freeVariables
    }
}

extension BoundBody<TypedExpression> {
    fileprivate var freeVariables: [ResolvedVariable] {
        switch self {
        case .block(let block): block.freeVariables
        case .nested(let query): query.freeVariables
        case .compound(let compound):
            compound.rows.freeVariables
                + compound.tail.order.flatMap(\.expression.freeVariables)
        }
    }
}

extension BoundRows<TypedExpression> {
    fileprivate var freeVariables: [ResolvedVariable] {
        switch self {
        case .block(let block): block.freeVariables
        case .nested(let query): query.freeVariables
        case .compound(_, _, let left, let right): left.freeVariables + right.freeVariables
        }
    }
}

extension BoundBlock<TypedExpression> {
    fileprivate var freeVariables: [ResolvedVariable] {
        var all = expressions.flatMap(\.freeVariables)
        for source in sources {
            if case .query(let query) = source.content { all += query.freeVariables }
        }
        return all
    }
}
