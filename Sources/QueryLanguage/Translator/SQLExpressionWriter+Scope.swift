internal import FleeceLite
internal import StoreFormat

// Names in a query.
extension SQLExpressionWriter {
    /// Writes an expression whose value exists already: computed with the groups, or in an index.
    ///
    /// Returns false if it must be computed.
    mutating func write(_ expression: QueryExpression, in scope: QueryScope) throws -> Bool {
        try scope.translation.step()
        try scope.translation.requireLength(sql.utf8.count)
        if isTextOfIndex || isVerbatim { return false }
        if let groups = scope.groups, try writeGrouped(expression, groups, scope) { return true }
        if try writeOfGroupsAround(expression, scope) { return true }
        if keepsSubtypes, expression.isBooleanWithoutSubtype {
            sql += "fl_bool("
            try typed(false) { writer in try writer.within(0) { try $0.write(expression) } }
            sql += ")"
            return true
        }
        return try writeIndexed(expression, scope)
    }

    /// Writes a property of a source, or the expression of a name.
    mutating func property(_ path: PropertyPath, in scope: QueryScope) throws {
        switch try scope.resolution(of: path) {
        case .source(let source, let rest): try property(rest, of: source)
        case .name(let owner, let number, let rest): try named(owner, number, rest)
        }
    }

    private mutating func property(_ path: PropertyPath, of source: ScopeSource) throws {
        switch source.kind {
        case .records:
            if path.components.isEmpty { return sql += "fl_root(\(body(of: source)))" }
            try valueOfDocument(path, source)
        case .elements: try element(path, "\(columns(of: source))value", source)
        case .indexed(_, let array):
            if wantsForm, !keepsSubtypes, !isTextOfIndex {
                return try formedElement(path, source, array)
            }
            let value = try indexedElement(path, source)
            guard keepsSubtypes, !trustsIndexes else {
                return sql += value
            }
            let typed =
                path.components.isEmpty
                ? try element([], of: array, source) : try self.value(of: source, path)
            sql +=
                "CASE WHEN typeof(\(value)) = 'integer' AND \(value) < 2 THEN \(typed) "
                + "ELSE \(value) END"
        case .rows(let columns): try column(path, columns, source)
        }
    }

    private var trustsIndexes: Bool {
        if case .scope(let scope) = source { scope.trustsIndexes } else { false }
    }

    /// An element of an array as in the index table, or a property of it.
    private mutating func indexedElement(
        _ path: PropertyPath, _ source: ScopeSource
    ) throws -> String {
        let body = "fl_unnested_value(\(body(of: source))"
        return path.components.isEmpty ? body + ")" : try body + ", " + pathText(path) + ")"
    }

    /// An element, or a property of it, that is compared with a possible collection: as the bytes
    /// of a collection if there is no index. SQL compares those bytes.
    private mutating func formedElement(
        _ path: PropertyPath, _ source: ScopeSource, _ array: ScopeSource.IndexedArray
    ) throws {
        // The table contains the element as `fl_each` returns it.
        if path.components.isEmpty, !array.isNested {
            return sql += "\(columns(of: source))body"
        }
        let value = try indexedElement(path, source)
        let typed = try element(path.components, of: array, source)
        sql += "CASE WHEN typeof(\(value)) = 'blob' THEN \(typed) ELSE \(value) END"
    }

    /// The same element in the document, where it has its type, or a property of it.
    private mutating func element(
        _ path: [PropertyPath.Component], of array: ScopeSource.IndexedArray, _ source: ScopeSource
    ) throws -> String {
        _ = columns(of: ScopeSource(alias: "", prefix: nil, sql: array.table, kind: source.kind))
        let value =
            path.isEmpty ? "value" : "fl_nested_value(body, \(try pathText(PropertyPath(path))))"
        return "fl_plain((SELECT fl_result(\(value)) FROM \(array.rows) "
            + "WHERE rowid = \(source.sql).i))"
    }

    private mutating func value(of source: ScopeSource, _ path: PropertyPath) throws -> String {
        try "fl_unindexed_value(\(columns(of: source))body, " + pathText(path) + ")"
    }

    private func pathText(_ path: PropertyPath) throws -> String {
        var writer = SQLExpressionWriter(source)
        try writer.text(path.description)
        return writer.sql
    }

    /// The alias of a source followed by a dot.
    mutating func columns(of source: ScopeSource) -> String {
        usedTables.insert(source.sql)
        if !isTextOfIndex, case .scope(let scope) = self.source { scope.noteUse(of: source.sql) }
        return isTextOfIndex ? "" : source.sql + "."
    }

    /// The body of a row; if hidden, it matches no expression of an index.
    mutating func body(of source: ScopeSource) -> String {
        (isHidden ? "+" : "") + columns(of: source) + "body"
    }

    private mutating func valueOfDocument(_ path: PropertyPath, _ source: ScopeSource) throws {
        try requirePath(path)
        let isKept = isHidden || keepsSubtypes && source.isIndexed("fl_value", path)
        sql += isKept ? "fl_unindexed_value(" : "fl_value("
        sql += columns(of: source) + "body, "
        try text(path.description)
        sql += ")"
    }

    private mutating func element(
        _ path: PropertyPath, _ value: String, _ source: ScopeSource
    ) throws {
        if path.components.isEmpty { return sql += value }
        sql += "fl_nested_value(\(columns(of: source))body, "
        try text(path.description)
        sql += ")"
    }

    /// A column of a subquery, or all of them as a dictionary.
    private mutating func column(
        _ path: PropertyPath, _ columns: QueryColumns, _ source: ScopeSource
    ) throws {
        guard let first = path.components.first else { return try row(columns.columnNames, source) }
        guard case .key(let name) = first, let index = columns.index(name) else {
            let rows = source.alias.isEmpty ? "the result" : source.alias
            throw StoreError.invalidQuery(
                "\(rows) has no column \(PropertyPath([first]).description), but "
                    + columns.columnNames.joined(separator: ", "))
        }
        let value = "fl_plain(\(self.columns(of: source))c\(index + 1))"
        let rest = PropertyPath(Array(path.components.dropFirst()))
        if rest.components.isEmpty { return sql += value }
        sql += "fl_nested_value(\(value), "
        try text(rest.description)
        sql += ")"
    }

    /// All columns of a subquery as a dictionary; missing for the row of an outer join without a
    /// match.
    private mutating func row(_ columnNames: [String], _ source: ScopeSource) throws {
        let alias = columns(of: source)
        if source.isOptional { sql += "CASE WHEN \(alias)c0 THEN " }
        sql += "dict_of("
        for (index, title) in columnNames.enumerated() {
            if index > 0 { sql += ", " }
            try text(title)
            sql += ", fl_plain(\(alias)c\(index + 1))"
        }
        sql += source.isOptional ? ") END" : ")"
    }

    /// The expression of a name, in the scope that defines it; only earlier names are visible
    /// there.
    private mutating func named(_ owner: QueryScope, _ number: Int, _ rest: PropertyPath) throws {
        let outer = source
        source = .scope(owner)
        defer { source = outer }
        try owner.translation.withName {
            try owner.withExpression(ofName: number) { expression in
                if rest.components.isEmpty { return try write(expression) }
                if case .property(let path) = expression {
                    return try write(.property(PropertyPath(path.components + rest.components)))
                }
                try write(.nested(expression, rest))
            }
        }
    }
}

// Functions of properties, and metadata of documents.
extension SQLExpressionWriter {
    /// `fl_exists`, `fl_count` or `fl_blob` of a property.
    mutating func accessor(
        _ name: String, _ path: PropertyPath, in scope: QueryScope
    ) throws {
        if scope.groups == nil,
            case .source(let source, let rest) = try scope.resolution(of: path)
        {
            if !rest.components.isEmpty, source.hasBody(for: rest) {
                sql += "\(name)(\(body(of: source)), "
                try text(rest.description)
                return sql += ")"
            }
        }
        switch name {
        case "fl_exists":
            try operation(3) { writer in
                try writer.typed(false) { try $0.write(.property(path)) }
                writer.sql += " IS NOT NULL"
            }
        // As for the property of a document: missing if it is not an array.
        case "fl_count" where scope.groups != nil:
            try call("fl_count", [.property(path), .string("")])
        case "fl_count": try call("array_count", [.property(path)])
        default: throw StoreError.invalidQuery("\(path) is not a property of a document")
        }
    }

    /// The arguments of a function of a collection; returns whether they include a path.
    mutating func collectionArguments(_ path: PropertyPath, in scope: QueryScope) throws -> Bool {
        if scope.groups == nil,
            case .source(let source, let rest) = try scope.resolution(of: path)
        {
            if source.hasBody(for: rest), !source.isRecords || !rest.components.isEmpty {
                try requirePath(rest)
                return try bodyArguments(body(of: source), rest)
            }
        }
        try typed { writer in try writer.within(0) { try $0.write(.property(path)) } }
        return false
    }

    /// Metadata of a document, or a property whose name looks like it.
    mutating func meta(
        _ property: MetaProperty, _ owner: String?, in scope: QueryScope
    ) throws {
        if let owner, scope.source(called: owner)?.isRecords != true {
            guard property != .all, scope.source(called: owner)?.mayHave(property) != false else {
                throw StoreError.invalidQuery(
                    "META(\(owner)) does not name a collection of the query")
            }
            return try self.property(
                PropertyPath([.key(owner), .key(property.shortName)]), in: scope)
        }
        let source = try owner.flatMap { scope.source(called: $0) } ?? scope.onlyCollection()
        guard case .records(let table) = source.kind else { return }
        if !table.hasExpiration {
            if property == .expiration { return sql += "NULL" }
        }
        let alias = columns(of: source)
        if property == .deleted, keepsSubtypes { return sql += "fl_bool(\(alias)flags & 1 != 0)" }
        if property == .all {
            let expiration = table.hasExpiration ? alias + "expiration" : "NULL"
            return sql +=
                "dict_of('id', \(alias)key, 'sequence', \(alias)sequence, "
                + "'deleted', fl_bool(\(alias)flags & 1 != 0), 'expiration', \(expiration), "
                + "'revisionID', fl_version(\(alias)version))"
        }
        isHidden ? writeHidden(property, alias) : writeMeta(property, alias)
    }

    /// The value of a parameter. Bound values have no subtypes: those that need one get it here.
    mutating func parameter(_ name: String) {
        let written = "$_" + name
        guard case .scope(let scope) = source else { return sql += written }
        switch scope.translation.use(parameter: name) {
        case .plain: sql += written
        case .boolean: sql += "fl_bool(\(written))"
        case .unsigned: sql += "fl_unsigned(\(written))"
        }
    }
}

extension ScopeSource {
    /// Whether its rows have a `body` column that contains a path.
    fileprivate func hasBody(for path: PropertyPath) -> Bool {
        switch kind {
        case .records, .elements: true
        // A scalar is stored unchanged.
        case .indexed: !path.components.isEmpty
        case .rows: false
        }
    }

    /// Whether a property can have the name of metadata.
    fileprivate func mayHave(_ property: MetaProperty) -> Bool {
        guard case .rows(let columns) = kind else { return true }
        return columns.index(property.shortName) != nil
    }

    /// Whether an index contains a function of a property.
    fileprivate func isIndexed(_ function: String, _ path: PropertyPath) -> Bool {
        guard case .records(let table) = kind, !table.indexes.isEmpty else { return false }
        return table.indexes.hasOthers
            || table.indexes.expressions.contains(
                "\(function)(body, \(path.description.sqlLiteral))")
    }
}
