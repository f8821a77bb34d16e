internal import StoreFormat

/// The second stage of a translation: determines which types the values of each expression can
/// have.
package struct QueryTyper {
    /// What is known of the values of parameters.
    private let parameters: ParameterTypes

    package init(_ parameters: ParameterTypes = ParameterTypes()) {
        self.parameters = parameters
    }

    /// Determines the types in a query.
    package func type(_ query: ResolvedQuery) -> BoundQuery {
        type(query.query)
        return query.query
    }

    /// Determines the types in an expression.
    @discardableResult
    package func type(_ expression: BoundExpression) -> BoundExpression {
        // The expression of a name is one object wherever the name is used.
        guard expression.knownType == nil else { return expression }
        if case .subquery(let query) = expression.form { type(query) }
        for part in expression.form.parts { type(part) }
        expression.knownType = type(of: expression.form)
        return expression
    }

    private func type(_ query: BoundQuery) { query.forEachExpression { type($0) } }

    private func type(of form: BoundExpression.Form) -> ValueType {
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

extension BoundExpression {
    /// The types that its values can have; any before they have been determined.
    package var type: ValueType { knownType ?? .any }

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
