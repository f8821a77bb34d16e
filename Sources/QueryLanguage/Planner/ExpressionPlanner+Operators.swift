internal import FleeceLite
internal import StoreFormat

// Operators.
extension ExpressionPlanner {
    func operation(
        _ known: QueryOperator, _ operands: [BoundExpression], _ use: ValueUse
    ) throws -> SQLExpression {
        let forms = known.isComparison && Self.mayCompareCollections(operands)
        switch known {
        case .concatenate: return try call("concat", concatenated(operands, use), use)
        case .not: return .not(try value(operands[0], use.typed(false)))
        case .exists: return try exists(operands[0], use)
        case .isValued:
            return .grouped(3, .call("isvalued", try operands.map { try value($0, use.typed()) }))
        case .in, .notIn:
            return try membership(operands, isNegated: known == .notIn, forms, use)
        case .like: return try like(operands, forms, use)
        case .between:
            return .between(
                try first(operands[0], forms, use), try operand(operands[1], forms, use),
                try operand(operands[2], forms, use))
        // Missing is SQL's `NULL`; JSON's null is a value that equals another null.
        case .is where operands[1].isNull: return try infix(.equal, operands, forms, use)
        case .isNot where operands[1].isNull: return try infix(.notEqual, operands, forms, use)
        case .isDistinctFrom: return try infix(.isNot, operands, forms, use)
        case .isNotDistinctFrom: return try infix(.is, operands, forms, use)
        case .divide where statement != nil: return try quotient(operands, use)
        case .subtract where operands.count == 1: return .negative(try value(operands[0], use))
        default: return try infix(known, operands, forms, use)
        }
    }

    /// Operators between their operands.
    private func infix(
        _ known: QueryOperator, _ operands: [BoundExpression], _ forms: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        let planned = try operands.enumerated().map { index, operand in
            let value =
                index == 0 && known.isComparison
                ? try first(operand, forms, use) : try self.operand(operand, forms, use)
            return isOpen(operand, at: index, of: known, use) ? .within(0, value) : value
        }
        return .infix(known.rawValue, planned, known.sqlPrecedence)
    }

    /// Whether an operand of a chain, such as `a + b + c`, needs no parentheses.
    private func isOpen(
        _ operand: BoundExpression, at index: Int, of known: QueryOperator, _ use: ValueUse
    ) -> Bool {
        guard isFree(use), index == 0 ? known.isChain : known.isChainOfBooleans,
            case .operation(let other, _) = operand.form
        else { return false }
        return other == known || index == 0 && other.isChain(with: known)
    }

    /// Whether it may differ from LiteCore's text, because it cannot be part of an index.
    func isFree(_ use: ValueUse) -> Bool { statement != nil && !use.isExact }

    /// An operand of an operator.
    func operand(
        _ operand: BoundExpression, _ forms: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        try value(operand, use.operand(needsForm: forms && operand.isLocation))
    }

    /// The first operand of a comparison, which determines the collation.
    func first(
        _ operand: BoundExpression, _ forms: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        let collation = use.collation?.take()
        let value = try self.operand(operand, forms, use)
        return collation.map { .collated(value, $0) } ?? value
    }

    /// The operands of a chain of `||`, which becomes one call: 30 nested calls fill the stack of
    /// SQLite's parser.
    private func concatenated(
        _ operands: [BoundExpression], _ use: ValueUse
    ) -> [BoundExpression] {
        guard isFree(use) else { return operands }
        var chain = operands
        while case .operation(.concatenate, let first) = chain[0].form,
            chain.count + first.count <= Self.mostArguments
        {
            chain.replaceSubrange(0..<1, with: first)
        }
        return chain.count > Self.longestNest ? chain : operands
    }

    private static let mostArguments = 100
    /// A shorter one is written as it could be in an index.
    private static let longestNest = 8

    /// SQL's own operator truncates integer division. In the definition of an index it must be
    /// used, since the text of an index is LiteCore's.
    private func quotient(
        _ operands: [BoundExpression], _ use: ValueUse
    ) throws -> SQLExpression {
        let values = try operands.map { try value($0, use.typed()) }
        return values.dropFirst().reduce(values[0]) { .call("div", [$0, $1]) }
    }

    private func exists(_ operand: BoundExpression, _ use: ValueUse) throws -> SQLExpression {
        switch operand.form {
        case .property(let source, let path) where hasBody(source, for: path):
            return .call("fl_exists", [body(of: source, use), .string(path.description)])
        case .property(let source, _):
            guard case .indexedElements = source.kind else {
                return .isNotNull(try value(operand, use.typed(false)))
            }
            throw StoreError.invalidQuery("fl_exists is not supported for elements of arrays")
        case .subquery(let query): return .exists(try rows(query, .output))
        default: return .grouped(8, .prefixed("EXISTS", try value(operand, use)))
        }
    }

    /// Whether a path can be searched in the body of a source's rows.
    func hasBody(_ source: ResolvedSource, for path: PropertyPath) -> Bool {
        guard !path.components.isEmpty, owner(of: source).groups == nil else { return false }
        switch source.kind {
        case .documents, .elements, .indexedDocuments: return true
        case .rows, .indexedElements: return false
        }
    }
}

// Membership and patterns.
extension ExpressionPlanner {
    /// `IN` with a list, or with the array that an expression returns.
    private func membership(
        _ operands: [BoundExpression], isNegated: Bool, _ forms: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        if operands.count == 2 {
            if case .array(let elements) = operands[1].form {
                return try membership(operands[0], elements, isNegated, forms, use)
            }
            return try membership(operands[0], in: operands[1], isNegated, forms, use)
        }
        return try membership(operands[0], Array(operands.dropFirst()), isNegated, forms, use)
    }

    private func membership(
        _ value: BoundExpression, _ others: [BoundExpression], _ isNegated: Bool, _ forms: Bool,
        _ use: ValueUse
    ) throws -> SQLExpression {
        let first = try first(value, forms, use)
        return .isIn(
            first, try others.map { try operand($0, forms, use) }, isNegated: isNegated)
    }

    /// `IN` with the rows of a query, or the elements of an array.
    private func membership(
        _ value: BoundExpression, in rows: BoundExpression, _ isNegated: Bool, _ forms: Bool,
        _ use: ValueUse
    ) throws -> SQLExpression {
        if statement != nil, let list = try rowList(rows, use) {
            return .isInRows(try first(value, forms, use), list, isNegated: isNegated)
        }
        let contains = SQLExpression.call(
            "array_contains",
            [
                try self.value(rows, containmentUse(rows, 0, use)),
                try self.value(value, containmentUse(value, 1, use)),
            ])
        guard !isNegated else { return .not(contains) }
        return use.keepsSubtypes ? .call("fl_bool", [contains]) : contains
    }

    private func containmentUse(
        _ argument: BoundExpression, _ index: Int, _ use: ValueUse
    ) -> ValueUse {
        guard let function = QueryFunction(named: "array_contains") else { return use.typed() }
        return use.typed(!(use.isExact && function.isBlind(toArgument: index, argument, use)))
    }

    private func rowList(_ rows: BoundExpression, _ use: ValueUse) throws -> SQLRowList? {
        switch rows.form {
        case .subquery(let query): return .decoded(try self.rows(query, .typed))
        // Otherwise as for an array of a document: a Boolean is not a number.
        case .parameter where use.collation?.isTaken == false:
            return .values(of: try value(rows))
        default: return nil
        }
    }

    /// SQL's own operator is case-sensitive; with other collations it is a function.
    private func like(
        _ operands: [BoundExpression], _ forms: Bool, _ use: ValueUse
    ) throws -> SQLExpression {
        if let order = use.collation?.value, order.isUnicode || !order.isCaseSensitive {
            _ = use.collation?.take()
            guard operands.count == 2 || operands[2].isText("\\") else {
                throw StoreError.invalidQuery(
                    "LIKE with this collation accepts only ESCAPE '\\'")
            }
            let values = try operands.prefix(2).map { try value($0, use.typed()) }
            return .call("fl_like", values + [.string(order.sqlName)])
        }
        let escape = try operands.count > 2 ? value(operands[2], use) : .string("\\")
        let like = SQLExpression.like(
            try first(operands[0], forms, use), try operand(operands[1], forms, use),
            escape: escape)
        guard isFree(use), operands[0].isProperty, PrefixSearch.bounds(operands) != nil else {
            return like
        }
        // SQL would compare the bytes of an array as a string, which an index sorts differently.
        let type = SQLExpression.call("typeof", [try value(operands[0], use.typed(false))])
        return .infix("AND", [like, .infix("<>", [type, .string("blob")], 3)], 2)
    }
}

// Collections in comparisons.
extension ExpressionPlanner {
    /// Whether at least two of the values can be collections.
    static func mayCompareCollections(_ operands: [BoundExpression]) -> Bool {
        var count = 0
        for operand in operands {
            if case .array(let elements) = operand.form {
                count += elements.count { $0.type.contains(.collection) }
            } else if operand.type.contains(.collection) {
                count += 1
            }
        }
        return count > 1
    }
}

extension BoundExpression {
    /// Whether it is the literal `NULL`.
    var isNull: Bool { if case .literal(.null) = form { true } else { false } }

    /// Whether it is this string.
    func isText(_ text: String) -> Bool {
        if case .literal(.string(text)) = form { true } else { false }
    }

    /// Whether it only accesses a value.
    var isLocation: Bool {
        switch form {
        case .property, .variable: true
        case .collate(_, let value), .nested(let value, _): value.isLocation
        default: false
        }
    }
}

extension QueryOperator {
    /// Its precedence, by LiteCore's numbers, since parentheses are part of the text of an index.
    var sqlPrecedence: Int {
        switch self {
        case .multiply, .divide, .modulo: 7
        case .add, .subtract: 6
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
        case .and, .or: 2
        case .exists: 8
        case .not: 9
        default: 3
        }
    }

    /// Whether a chain of it, from the left, needs no parentheses.
    fileprivate var isChain: Bool {
        switch self {
        case .and, .or, .add, .subtract, .multiply, .modulo: true
        default: false
        }
    }

    /// Whether SQL associates it with another operator from the left.
    fileprivate func isChain(with other: QueryOperator) -> Bool {
        switch (self, other) {
        case (.add, .subtract), (.subtract, .add), (.multiply, .modulo), (.modulo, .multiply): true
        default: false
        }
    }

    /// Whether the grouping of a chain's operands does not matter.
    fileprivate var isChainOfBooleans: Bool { self == .and || self == .or }

    /// Whether the collation affects it.
    package var isComparison: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .is, .isNot, .in,
            .notIn, .like, .between, .isDistinctFrom, .isNotDistinctFrom:
            true
        default: false
        }
    }
}
