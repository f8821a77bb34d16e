internal import FleeceLite
internal import StoreFormat

/// Finds documents by the elements of their arrays, using the tables of array indexes.
///
/// `ANY x IN likes SATISFIES x = 'chess' END` reads each document. If all rows must meet the
/// condition, an additional term of `WHERE` restricts the documents to candidates from the index.
struct ElementSearch {
    let planner: ExpressionPlanner

    /// Terms that conditions imply and that SQLite can look up, one for each source.
    ///
    /// A second term would not save documents: SQLite reads each candidate of the first before it
    /// tests another, and collects all candidates of both.
    func terms(of conditions: [BoundExpression]) throws -> [SQLExpression] {
        guard !planner.options.avoidsIndexes else { return [] }
        var served: [ResolvedSource] = []
        var terms: [SQLExpression] = []
        for condition in conditions {
            guard case .quantified(let quantifier) = condition.form,
                case .property(let source, let path) = quantifier.collection.form,
                !served.contains(where: { $0 === source }),
                let owners = try owners(quantifier, of: source, path)
            else { continue }
            served.append(source)
            terms.append(
                .isInRows(.column(source.sqlAlias, "rowid"), .lookup(owners), isNegated: false))
        }
        return terms
    }

    private func owners(
        _ quantifier: BoundQuantifier, of source: ResolvedSource, _ path: PropertyPath
    ) throws -> SQLLookup? {
        guard source.block == planner.block.number, !source.includesDeleted,
            let elements = source.table?.indexes.arrays[path.description]
        else { return nil }
        return try owners(quantifier, elements)
    }

    /// The query for the rows with an element that meets a part of the condition; nil if no index
    /// serves it.
    private func owners(
        _ quantifier: BoundQuantifier, _ elements: QueryIndexes.ElementTable
    ) throws -> SQLLookup? {
        // `ANY AND EVERY` is also true where the condition is missing, which no index row shows.
        guard quantifier.kind == .any else { return nil }
        for part in quantifier.condition.conjuncts {
            guard
                let condition = try comparison(part, quantifier.variable, elements)
                    ?? innerRows(part, quantifier.variable, elements)
            else { continue }
            return SQLLookup(
                column: "docid", table: elements.sqlName, title: elements.title,
                isOfElements: true, condition: condition)
        }
        return nil
    }

    /// The term implied by a condition on an array within the element.
    private func innerRows(
        _ part: BoundExpression, _ variable: ResolvedVariable,
        _ elements: QueryIndexes.ElementTable
    ) throws -> SQLExpression? {
        guard case .quantified(let inner) = part.form,
            case .variable(let used, let path) = inner.collection.form, used === variable,
            let table = elements.inner[path.description],
            let owners = try owners(inner, table)
        else { return nil }
        return .isInRows(.column("", "rowid"), .lookup(owners), isNegated: false)
    }

    private func comparison(
        _ part: BoundExpression, _ variable: ResolvedVariable,
        _ elements: QueryIndexes.ElementTable
    ) throws -> SQLExpression? {
        guard case .operation(let known, let operands) = part.form,
            ImpliedTerms.searches.contains(known),
            operands.dropFirst().allSatisfy({ ImpliedTerms.isPlain($0, planner.options) }),
            operands[0].isOfElement(variable)
        else { return nil }
        let parts = TypedParts()
        // Some conditions on elements have no equivalent in an index.
        guard let element = try? planner.exact(operands[0], parts, element: variable),
            elements.leading.contains(try SQLPrinter.sql(element, isBare: true)),
            elements.keepsTypes(try parts.sqlTexts())
        else { return nil }
        return ImpliedTerms.comparison(
            known, .bare(element), try operands.dropFirst().map { try planner.value($0) })
    }
}

extension BoundExpression {
    /// Whether it depends on the value of a variable and nothing else.
    fileprivate func isOfElement(_ variable: ResolvedVariable) -> Bool {
        switch form {
        case .variable(let other, _): other === variable
        case .literal, .array, .dictionary, .nested, .operation, .function, .collate, .cases:
            form.parts.allSatisfy { $0.isOfElement(variable) }
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
