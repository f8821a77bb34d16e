internal import FleeceLite
package import QueryLanguage
internal import StoreFormat

/// The parsed definition of an index.
package struct IndexDefinition: Hashable {
    /// The indexed expressions; empty for an array index on the elements themselves.
    package let expressions: [QueryExpression]
    /// The condition of a partial index; nil if all documents are in the index.
    package let condition: QueryExpression?

    /// Parses a definition.
    ///
    /// In JSON the expressions may be a dictionary `{"WHAT": […], "WHERE": …}`.
    ///
    /// Throws `.invalidQuery`.
    package init(_ text: IndexExpressions, where condition: String?) throws {
        switch text.language {
        case .sqlPlusPlus:
            let isEmpty = text.text.allSatisfy(\.isWhitespace)
            expressions = isEmpty ? [] : try SQLPPParser.expressions(text.text)
            self.condition = try condition.map { try SQLPPParser.condition($0) }
        case .json:
            let root = try QueryJSONReader.root(text.text.isEmpty ? "[]" : text.text)
            let clauses = root.dictionary
            expressions = try QueryJSONReader.expressions(clauses?[clause: "WHAT"] ?? root)
            let own = try clauses?[clause: "WHERE"].map { try QueryJSONReader.expression($0) }
            self.condition = try condition.map { try QueryJSONReader.expression($0) } ?? own
        }
        try requireConstantMeaning()
    }

    /// Requires that an expression has the same value whenever it is evaluated.
    private func requireConstantMeaning() throws {
        for expression in expressions + (condition.map { [$0] } ?? []) {
            try expression.requireIndexable()
        }
    }
}

extension QueryExpression {
    fileprivate func requireIndexable() throws {
        var reason: String?
        visit { expression in
            switch expression {
            case .parameter(let name): reason = "the parameter $\(name) has no value in an index"
            case .function(let name, _) where QueryFunction(named: name)?.isVolatile == true:
                reason = "\(name)() returns another value each time"
            case .function(let name, _) where QueryFunction(named: name)?.isAggregate == true:
                reason = "\(name)() is an aggregate function, which an index cannot contain"
            case .match, .rank: reason = "MATCH() and RANK() cannot be used in an index"
            default: break
            }
        }
        if let reason { throw StoreError.invalidQuery(reason) }
    }

    /// Whether it reads metadata that changes without the document's body.
    var readsMetadata: Bool {
        var found = false
        visit {
            if case .meta(let property, let source) = $0, property != .id {
                found = found || property.isKnown(ofSource: source)
            }
        }
        return found
    }
}

extension FleeceDictionary {
    /// The value of a clause, whose name may be in any case.
    fileprivate subscript(clause name: String) -> FleeceValue? {
        first { $0.key.asciiUppercased == name }?.value
    }
}

extension QueryExpression {
    /// Checks that SQLite accepts the expression in a `CREATE INDEX`: it may contain neither a
    /// subquery nor anything that depends on a setting of the connection.
    ///
    /// Throws `.invalidQuery`.
    func requireIndexableBySQLite() throws {
        var reason: String?
        // With these collations LIKE is a function that no setting affects.
        var functions: Set<QueryExpression> = []
        visit { expression in
            switch expression {
            case .collate(let order, let operation) where order.isUnicode || !order.isCaseSensitive:
                functions.insert(operation)
            case .quantified(let quantifier) where !quantifier.isMembership:
                reason =
                    "ANY and EVERY cannot be used in an index, except ANY x IN array "
                    + "SATISFIES x = value END; create an array index"
            case .operation(.like, _) where !functions.contains(expression):
                reason = "LIKE cannot be used in an index without COLLATE"
            default: break
            }
        }
        if let reason { throw StoreError.invalidQuery(reason) }
    }
}

extension QueryQuantifier {
    /// Whether it only tests whether an array contains a value.
    fileprivate var isMembership: Bool {
        guard kind == .any, case .operation(.equal, let operands) = condition,
            operands.count == 2, case .variable(variable, let path) = operands[0]
        else { return false }
        return path.components.isEmpty
    }
}
