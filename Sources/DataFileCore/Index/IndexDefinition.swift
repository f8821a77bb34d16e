internal import FleeceLite
package import QueryLanguage
internal import StoreFormat

/// What an index is of, as a tree.
package struct IndexDefinition: Hashable {
    /// Empty for an array whose elements themselves are indexed.
    package let expressions: [QueryExpression]
    /// Nil if all documents are in it.
    package let condition: QueryExpression?

    /// Reads the texts of a definition.
    ///
    /// In JSON the text may be a dictionary `{"WHAT": […], "WHERE": …}`.
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

    /// What stands in an index must be the same whenever it is asked.
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
                reason = "\(name)() gives another value each time"
            case .function(let name, _) where QueryFunction(named: name)?.isAggregate == true:
                reason = "\(name)() is of many documents, an index of each one"
            case .match, .rank: reason = "MATCH() and RANK() cannot stand in an index"
            default: break
            }
        }
        if let reason { throw StoreError.invalidQuery(reason) }
    }

    /// Whether it asks for something that changes without the document's body.
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
    /// The value of a clause, whose name may stand in any case.
    fileprivate subscript(clause name: String) -> FleeceValue? {
        first { $0.key.asciiUppercased == name }?.value
    }
}

extension QueryExpression {
    /// Checks that SQLite takes it in an index of its own, which may have no subqueries, and
    /// nothing that a setting of the connection changes.
    ///
    /// Throws `.invalidQuery`.
    func requireIndexableBySQLite() throws {
        var reason: String?
        // In these orders it is a function, which no setting changes.
        var functions: Set<QueryExpression> = []
        visit { expression in
            switch expression {
            case .collate(let order, let operation) where order.isUnicode || !order.isCaseSensitive:
                functions.insert(operation)
            case .quantified(let quantifier) where !quantifier.isMembership:
                reason =
                    "ANY and EVERY cannot stand in an index, but for ANY x IN array SATISFIES "
                    + "x = value END; make an array index"
            case .operation(.like, _) where !functions.contains(expression):
                reason = "LIKE cannot stand in an index without COLLATE"
            default: break
            }
        }
        if let reason { throw StoreError.invalidQuery(reason) }
    }
}

extension QueryQuantifier {
    /// Whether it asks no more than whether an array has a value.
    fileprivate var isMembership: Bool {
        guard kind == .any, case .operation(.equal, let operands) = condition,
            operands.count == 2, case .variable(variable, let path) = operands[0]
        else { return false }
        return path.components.isEmpty
    }
}
