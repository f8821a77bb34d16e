internal import FleeceLite

/// Finds documents by the elements of their arrays, with the tables of array indexes.
///
/// `ANY x IN likes SATISFIES x = 'chess' END` looks into each document. If all rows must meet it, a
/// term of `WHERE` before it says which documents come into question at all.
struct ElementSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard !scope.translation.options.avoidsIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .quantified(let quantifier) = operand,
                case .property(let path) = quantifier.collection,
                case .source(let source, let rest) = try scope.place(of: path),
                case .records(let table) = source.kind, !source.includesDeleted,
                scope.sources.contains(where: { $0.sql == source.sql }),
                let elements = table.indexes.arrays[rest.description],
                let owners = try owners(quantifier, elements)
            else { return nil }
            return "\(source.sql).rowid IN (\(owners))"
        }
    }

    /// The query for the rows that have an element which meets a part of the condition; nil if no
    /// index tells.
    private func owners(
        _ quantifier: QueryQuantifier, _ elements: QueryIndexes.ElementTable
    ) throws -> String? {
        // Of `ANY AND EVERY` a condition that is missing is true, too: no row of an index says so.
        guard quantifier.kind == .any else { return nil }
        for part in quantifier.condition.conjuncts {
            guard
                let condition = try comparison(part, quantifier.variable, elements)
                    ?? innerRows(part, quantifier.variable, elements)
            else { continue }
            let table = elements.sqlName.unquotedSQLName
            scope.translation.sourceNames[table] = elements.title
            scope.translation.elementTables.insert(table)
            return "SELECT docid FROM \(elements.sqlName) WHERE \(condition)"
        }
        return nil
    }

    /// What a condition of an array in the element implies.
    private func innerRows(
        _ part: QueryExpression, _ variable: String, _ elements: QueryIndexes.ElementTable
    ) throws -> String? {
        guard case .quantified(let inner) = part,
            case .variable(variable, let path) = inner.collection,
            let table = elements.inner[path.description],
            let owners = try owners(inner, table)
        else { return nil }
        return "rowid IN (\(owners))"
    }

    private func comparison(
        _ part: QueryExpression, _ variable: String, _ elements: QueryIndexes.ElementTable
    ) throws -> String? {
        guard case .operation(let known, let operands) = part, Self.searches.contains(known),
            operands.dropFirst().allSatisfy({ isPlain($0) }),
            let element = operands[0].ofElement(variable)
        else { return nil }
        var writer = SQLExpressionWriter(.elements)
        writer.isTextOfIndex = true
        // Not all that a query can say of an element can stand in an index.
        guard (try? writer.write(element)) != nil, elements.leading.contains(writer.sql),
            elements.keepsTypes(writer.typedTexts)
        else { return nil }
        let others = try operands.dropFirst().map { try SQLExpressionWriter.sql($0, .scope(scope)) }
        let isOperation = if case .operation = element { true } else { false }
        return Self.comparison(known, isOperation ? "(\(writer.sql))" : writer.sql, others)
    }

    /// The comparisons that an index can serve.
    static let searches: Set<QueryOperator> = [
        .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between,
    ]

    static func comparison(
        _ known: QueryOperator, _ value: String, _ others: [String]
    ) -> String {
        known == .between
            ? "\(value) BETWEEN \(others[0]) AND \(others[1])"
            : "\(value) \(known.rawValue) \(others[0])"
    }

    /// Whether it is a text or a number: of other values SQL and `ANY` have different ideas.
    func isPlain(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .literal(let literal): literal.isPlain
        case .parameter(let name):
            scope.translation.options.parameters[name] == nil
                && scope.translation.options.plainParameters.contains(name)
        default: false
        }
    }
}

extension QueryLiteral {
    /// Whether it is a text, or a number that integers, floating-point numbers and those beyond
    /// `Int64.max` are compared with alike, in SQL and in JSON.
    package var isPlain: Bool {
        switch self {
        case .string: true
        case .integer(let number): number.magnitude <= 1 << 53
        case .real(let number): number.magnitude <= 0x1p53
        case .missing, .null, .boolean, .unsigned: false
        }
    }
}

extension QueryExpression {
    /// What it says of the value of a variable, as it would stand in an index of elements; nil if
    /// it is of anything else.
    fileprivate func ofElement(_ name: String) -> QueryExpression? {
        var isOfElement = true
        visit {
            switch $0 {
            case .variable(let other, _): isOfElement = isOfElement && other == name
            case .literal, .array, .dictionary, .nested, .operation, .function, .collate, .cases:
                break
            default: isOfElement = false
            }
        }
        guard isOfElement else { return nil }
        return mappingLeaves { leaf in
            if case .variable(_, let path) = leaf { .property(path) } else { leaf }
        }
    }
}
