internal import FleeceLite

/// Finds documents by the elements of their arrays, using the tables of array indexes.
///
/// `ANY x IN likes SATISFIES x = 'chess' END` reads each document. If all rows must meet the
/// condition, an additional term of `WHERE` restricts the documents to candidates from the index.
struct ElementSearch {
    let scope: QueryScope

    /// Terms that a condition implies and that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard !scope.translation.options.avoidsIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .quantified(let quantifier) = operand,
                case .property(let path) = quantifier.collection,
                case .source(let source, let rest) = try scope.resolution(of: path),
                case .records(let table) = source.kind, !source.includesDeleted,
                scope.sources.contains(where: { $0.sql == source.sql }),
                let elements = table.indexes.arrays[rest.description],
                let owners = try owners(quantifier, elements)
            else { return nil }
            return "\(source.sql).rowid IN (\(owners))"
        }
    }

    /// The query for the rows with an element that meets a part of the condition; nil if no index
    /// serves it.
    private func owners(
        _ quantifier: QueryQuantifier, _ elements: QueryIndexes.ElementTable
    ) throws -> String? {
        // `ANY AND EVERY` is also true where the condition is missing, which no index row shows.
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

    /// The terms implied by a condition on an array within the element.
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
        // Some conditions on elements have no equivalent in an index.
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

    /// Whether it is a string or a number: SQL and `ANY` compare other values differently.
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
    /// Whether it is a string, or a number that SQL and JSON compare alike whether it is stored as
    /// an integer, a floating-point number or an integer above `Int64.max`.
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
    /// The expression on a variable's value, as in an index of elements; nil if it depends on
    /// anything else.
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
