internal import FleeceLite
internal import StoreFormat

// Properties of rows.
extension ExpressionPlanner {
    func property(
        _ path: PropertyPath, of source: ResolvedSource, _ use: ValueUse
    ) throws -> SQLExpression {
        switch source.kind {
        case .documents, .indexedDocuments:
            if path.components.isEmpty { return .call("fl_root", [body(of: source, use)]) }
            return valueOfDocument(path, source, use)
        case .indexedElements: return elementInTable(path, source, ValueUse())
        case .rows(let columns): return column(path, columns, source)
        case .elements:
            guard case .elementTable(_, let array) = access(to: source) else {
                return nested(.column(source.sqlAlias, "value"), path, in: source.sqlAlias)
            }
            return indexedElement(path, source, array, use)
        }
    }

    private func valueOfDocument(
        _ path: PropertyPath, _ source: ResolvedSource, _ use: ValueUse
    ) -> SQLExpression {
        let path = path.description
        let arguments = [SQLExpression.column(source.sqlAlias, "body"), .string(path)]
        let index = use.isExact ? nil : source.table?.indexes.index(of: path)
        if use.isHidden || use.keepsSubtypes && index != nil {
            return .call("fl_unindexed_value", arguments)
        }
        let value = SQLExpression.call("fl_value", arguments)
        return index.map { .indexed(value, index: $0) } ?? value
    }

    /// The body of a row; if hidden, it matches no expression of an index.
    func body(of source: ResolvedSource, _ use: ValueUse) -> SQLExpression {
        let column = SQLExpression.column(source.sqlAlias, "body")
        return use.isHidden ? .hidden(column) : column
    }

    /// A value of a table function, or a property of it.
    private func nested(
        _ value: SQLExpression, _ path: PropertyPath, in table: String
    ) -> SQLExpression {
        if path.components.isEmpty { return value }
        return .call("fl_nested_value", [.column(table, "body"), .string(path.description)])
    }

    func variable(
        _ variable: ResolvedVariable, _ path: PropertyPath, _ use: ValueUse
    ) -> SQLExpression {
        if use.element === variable {
            let path = path.components.isEmpty ? [] : [SQLExpression.string(path.description)]
            return .call("fl_unnested_value", [.column("", "body")] + path)
        }
        return nested(.column(variable.sqlAlias, "value"), path, in: variable.sqlAlias)
    }
}

// Elements in the table of an array index.
extension ExpressionPlanner {
    private func indexedElement(
        _ path: PropertyPath, _ source: ResolvedSource, _ array: IndexedArray, _ use: ValueUse
    ) -> SQLExpression {
        if use.needsForm, !use.keepsSubtypes, !use.isExact {
            return formedElement(path, source, array)
        }
        let value = elementInTable(path, source, use)
        guard use.keepsSubtypes, !trustsIndexes else { return value }
        let typed =
            path.components.isEmpty
            ? elementInDocument(path, of: array, source)
            : .call(
                "fl_unindexed_value",
                [.column(source.sqlAlias, "body"), .string(path.description)])
        return .cases(
            subject: nil, [SQLCase(condition: .isAmbiguous(value), value: typed)],
            otherwise: value)
    }

    /// An element of an array as in the index table, or a property of it.
    private func elementInTable(
        _ path: PropertyPath, _ source: ResolvedSource, _ use: ValueUse
    ) -> SQLExpression {
        let path = path.components.isEmpty ? [] : [SQLExpression.string(path.description)]
        return .call("fl_unnested_value", [body(of: source, use)] + path)
    }

    /// An element, or a property of it, that is compared with a possible collection: as the bytes
    /// of a collection if there is no index. SQL compares those bytes.
    private func formedElement(
        _ path: PropertyPath, _ source: ResolvedSource, _ array: IndexedArray
    ) -> SQLExpression {
        // The table contains the element as `fl_each` returns it.
        if path.components.isEmpty, !array.isNested { return .column(source.sqlAlias, "body") }
        let value = elementInTable(path, source, ValueUse())
        let isCollection = SQLExpression.infix(
            "=", [.call("typeof", [value]), .string("blob")], 3)
        let typed = elementInDocument(path, of: array, source)
        return .cases(
            subject: nil, [SQLCase(condition: isCollection, value: typed)], otherwise: value)
    }

    /// The same element in the document, where it has its type, or a property of it.
    private func elementInDocument(
        _ path: PropertyPath, of array: IndexedArray, _ source: ResolvedSource
    ) -> SQLExpression {
        let value = nested(.column("", "value"), path, in: "")
        return .call(
            "fl_plain",
            [
                .element(
                    .call("fl_result", [value]), of: array.rows,
                    number: .column(source.sqlAlias, "i"))
            ])
    }
}

// Columns of subqueries, and metadata.
extension ExpressionPlanner {
    /// A column of a subquery, or all of them as a dictionary.
    private func column(
        _ path: PropertyPath, _ columns: QueryColumns, _ source: ResolvedSource
    ) -> SQLExpression {
        guard case .key(let name) = path.components.first, let index = columns.index(name) else {
            return row(columns.columnNames, source)
        }
        let value = SQLExpression.call("fl_plain", [.column(source.sqlAlias, "c\(index + 1)")])
        let rest = PropertyPath(Array(path.components.dropFirst()))
        if rest.components.isEmpty { return value }
        return .call("fl_nested_value", [value, .string(rest.description)])
    }

    /// All columns of a subquery as a dictionary; missing for the row of an outer join without a
    /// match.
    private func row(_ columnNames: [String], _ source: ResolvedSource) -> SQLExpression {
        let entries = columnNames.enumerated().flatMap { index, name -> [SQLExpression] in
            [
                .string(name),
                .call("fl_plain", [.column(source.sqlAlias, "c\(index + 1)")]),
            ]
        }
        let row = SQLExpression.call("dict_of", entries)
        guard source.isOptional else { return row }
        let hasMatch = SQLExpression.column(source.sqlAlias, "c0")
        return .cases(
            subject: nil, [SQLCase(condition: hasMatch, value: row)], otherwise: nil)
    }

    func metadata(
        _ property: MetaProperty, _ source: ResolvedSource, _ use: ValueUse
    ) -> SQLExpression {
        func column(_ name: String) -> SQLExpression { .column(source.sqlAlias, name) }
        let hasExpiration = source.table?.hasExpiration ?? true
        if property == .expiration, !hasExpiration { return .null }
        let isDeleted = SQLExpression.isDeleted(
            use.isHidden ? .hidden(column("flags")) : column("flags"))
        func hidden(_ name: String, _ type: String) -> SQLExpression {
            use.isHidden ? .cast(column(name), type) : column(name)
        }
        switch property {
        case .id: return hidden("key", "TEXT")
        case .sequence: return hidden("sequence", "INTEGER")
        case .expiration: return hidden("expiration", "INTEGER")
        case .rowid: return hidden("rowid", "INTEGER")
        case .deleted: return use.keepsSubtypes ? .call("fl_bool", [isDeleted]) : isDeleted
        case .revisionID:
            return .call(
                "fl_version", [use.isHidden ? .hidden(column("version")) : column("version")])
        case .all:
            let flag = SQLExpression.isDeleted(column("flags"))
            return .call(
                "dict_of",
                [
                    .string("id"), column("key"), .string("sequence"), column("sequence"),
                    .string("deleted"), statement == nil ? flag : .call("fl_bool", [flag]),
                    .string("expiration"), hasExpiration ? column("expiration") : .null,
                    .string("revisionID"), .call("fl_version", [column("version")]),
                ])
        }
    }
}
