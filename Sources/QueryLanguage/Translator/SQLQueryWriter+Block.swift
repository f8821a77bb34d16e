internal import FleeceLite
internal import StoreFormat

// One SELECT.
extension SQLQueryWriter {
    mutating func write(_ block: QueryBlock, _ tail: QueryTail, as form: Form) throws -> Written {
        let scope = QueryScope(translation, outer: outer)
        scope.tablesByName = tables
        scope.hiddenSources = hiddenSources
        let results = block.results.isEmpty ? Self.documents(of: block) : block.results
        let (block, tail) = try block.withoutOrdinalPositions(results, tail)
        let from = try sources(of: block, results, tail, scope)
        try addNames(block, results, tail, to: scope)
        scope.takesJoins = true
        try scope.withAllNames {
            try scope.joinWords(of: block.condition)
            try scope.joinPredictions(of: block.condition)
            try VectorDistanceJoin(scope: scope, tail: tail, condition: block.condition)
                .join(results.map(\.expression) + tail.order.map(\.expression))
        }
        let select = Select(
            block: block, results: results, tail: tail, form: form, scope: scope, from: from,
            columnNames: try ColumnNames.columnNames(of: results, block.results.isEmpty, scope))
        try requireGroups(select)
        if block.groups.isEmpty {
            return try subtypesAreLost(select) || hasForeignAggregate(select) || collects(select)
                ? grouped(select) : plain(select)
        }
        return try answersFromIndex(select) ? plain(select) : grouped(select)
    }

    /// Without results, the columns are the ID and sequence of the first source's documents.
    private static func documents(of block: QueryBlock) -> [QueryResult] {
        let name = block.sources.first?.name
        return [MetaProperty.id, .sequence].map {
            QueryResult(expression: .meta($0, source: name))
        }
    }

    /// A SELECT with the results of its analysis.
    struct Select {
        let block: QueryBlock
        let results: [QueryResult]
        let tail: QueryTail
        let form: Form
        let scope: QueryScope
        let from: String
        let columnNames: [String]
    }

    /// Adds the names of `LET` and of results, each of which can use the earlier ones.
    func addNames(
        _ block: QueryBlock, _ results: [QueryResult], _ tail: QueryTail, to scope: QueryScope
    ) throws {
        for binding in block.bindings {
            guard !scope.hasName(binding.name) else {
                throw StoreError.invalidQuery("LET has two expressions named \(binding.name)")
            }
            scope.add(.init(name: binding.name, expression: binding.expression))
        }
        scope.bindingCount = scope.names.count
        scope.visibleNames = scope.bindingCount
        for result in results {
            guard let alias = result.alias else { continue }
            scope.add(.init(name: alias, expression: result.expression))
        }
        for name in block.columnNames(results, tail) { scope.add(name) }
    }

    private func writer(_ scope: QueryScope) -> SQLExpressionWriter {
        var writer = SQLExpressionWriter(.scope(scope))
        writer.variables = variables
        return writer
    }
}

// Queries without groups, or with groups that an index provides in order.
extension SQLQueryWriter {
    private func plain(_ select: Select) throws -> Written {
        let scope = select.scope
        var many = writer(scope)
        many.allowsAggregates = true
        many.allowsWindows = true
        var written = Written(sql: "SELECT ", columnNames: select.columnNames)
        if select.block.isDistinct { written.sql += "DISTINCT " }
        let isOfRows = isOfRows(select)
        if translation.options.addsKeys, isOfRows, let key = try? scope.onlyCollection() {
            written.sql += "\(key.sql).key, "
            written.hasKeys = true
        }
        let results = try results(select, many, &written, keepsBodies: isOfRows)
        // In all clauses but SELECT, the names of results stand for their expressions.
        scope.visibleNames = scope.names.count
        defer { scope.visibleNames = scope.bindingCount }
        var one = writer(scope)
        let condition = try condition(select, &one)
        let groups = try select.block.groups.map { try one.order(QueryOrder(expression: $0)) }
        let having = try having(select, many)
        let tail = try tail(select.tail, many)
        written.sql += results + " FROM " + sources(select) + condition
        if !groups.isEmpty { written.sql += " GROUP BY " + groups.joined(separator: ", ") }
        written.sql += having + tail
        return written
    }

    /// Whether each row of the result is one row of the sources.
    private func isOfRows(_ select: Select) -> Bool {
        select.form == .output && outer == nil && !select.block.isDistinct
            && select.block.groups.isEmpty && select.block.groupCondition == nil
            && !select.results.contains { $0.expression.hasAggregate }
            && !select.tail.order.contains { $0.expression.hasAggregate }
    }

    private func results(
        _ select: Select, _ writer: SQLExpressionWriter, _ written: inout Written,
        keepsBodies: Bool
    ) throws -> String {
        var columns: [String] = []
        for (index, result) in select.results.enumerated() {
            var sql: String
            if keepsBodies, let body = try body(result.expression, select.scope) {
                written.bodies.insert(index)
                sql = body
            } else {
                sql = try SQLResultWriter.sql(result.expression, select.scope, like: writer)
            }
            switch select.form {
            case .typed: sql += " AS c\(index + 1)"
            case .output:
                if let alias = result.alias { sql += " AS \(try Self.name(alias))" }
            }
            try translation.add(column: sql)
            columns.append(sql)
        }
        return columns.joined(separator: ", ")
    }

    private static func name(_ alias: String) throws -> String {
        guard !alias.utf8.contains(0) else {
            throw StoreError.invalidQuery("an alias cannot contain U+0000")
        }
        return alias.sqlIdentifier
    }

    /// A whole document is not copied in SQL: its body is returned as stored in the file.
    private func body(_ expression: QueryExpression, _ scope: QueryScope) throws -> String? {
        guard case .property(let path) = expression,
            case .source(let source, let rest) = try scope.resolution(of: path),
            rest.components.isEmpty, source.isRecords
        else { return nil }
        return "\(source.sql).body"
    }

    /// The `FROM` items with the joined index tables.
    private func sources(_ select: Select) -> String {
        if let table = elementsAlone(select) { return table }
        return select.from + select.scope.joins.map(\.sql).joined()
    }

    /// The table of an array's elements, if the query uses nothing else of the documents.
    private func elementsAlone(_ select: Select) -> String? {
        let scope = select.scope
        guard scope.sources.count == 2, scope.joins.isEmpty, aliveTest(scope.sources[0]) == nil,
            select.block.sources[1].join != .left,
            case .indexed(let table, let array) = scope.sources[1].kind,
            array.table == scope.sources[0].sql, !scope.usedTables.contains(scope.sources[0].sql)
        else { return nil }
        return "\(table.sqlName) AS \(scope.sources[1].sql)"
    }

    /// The `WHERE` condition, with the implied terms.
    private func condition(
        _ select: Select, _ writer: inout SQLExpressionWriter
    ) throws -> String {
        let scope = select.scope
        var terms = scope.sources.first.flatMap { aliveTest($0) }.map { [$0] } ?? []
        let onlyChanged = translation.options.onlyChanged && outer == nil
        if onlyChanged, let key = try? scope.onlyCollection() {
            scope.noteUse(of: key.sql)
            terms.append(
                "\(key.sql).key IN (SELECT value FROM fl_each(\(QueryTranslation.changedKeys)))")
        }
        guard let condition = select.block.condition else {
            return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        }
        if !onlyChanged {
            terms += try ElementSearch(scope: scope).terms(of: condition)
            terms += try PrefixSearch(scope: scope).terms(of: condition)
            terms += try ListSearch(scope: scope).terms(of: condition)
            terms += try TypedSearch(scope: scope).terms(of: condition)
        }
        try writer.within(terms.isEmpty ? 0 : 2) { try $0.write(condition) }
        // A few documents are found by their IDs: the `+` prevents the use of another index.
        let own = onlyChanged ? "+(\(writer.sql))" : writer.sql
        return " WHERE " + ([own] + terms).joined(separator: " AND ")
    }

    /// The condition that a row is not a tombstone; nil if the table has no tombstones.
    func aliveTest(_ source: ScopeSource) -> String? {
        guard case .records(let table) = source.kind, table.mayHaveLiveTombstones,
            !source.includesDeleted
        else { return nil }
        return "(\(source.sql).flags & 1 = 0)"
    }

    private func having(_ select: Select, _ writer: SQLExpressionWriter) throws -> String {
        guard let having = select.block.groupCondition else { return "" }
        guard !select.block.groups.isEmpty || select.results.contains(where: \.isOfManyRows)
        else {
            throw StoreError.invalidQuery(
                "HAVING needs GROUP BY, or an aggregate function as a result")
        }
        var writer = writer
        writer.allowsWindows = false
        try writer.within(0) { try $0.write(having) }
        return " HAVING " + writer.sql
    }
}

extension QueryResult {
    fileprivate var isOfManyRows: Bool { expression.hasAggregate }
}

// Groups.
extension SQLQueryWriter {
    /// Whether values lose their subtypes: those of elements do where SQLite stores them for
    /// windows.
    private func subtypesAreLost(_ select: Select) -> Bool {
        let all = select.results.map(\.expression) + select.tail.order.map(\.expression)
        return all.contains { $0.hasWindow }
            && select.scope.sources.contains { if case .elements = $0.kind { true } else { false } }
    }

    /// Whether values are collected in row order.
    private func collects(_ select: Select) -> Bool {
        let expressions = select.results.map(\.expression) + select.tail.order.map(\.expression)
        let all = expressions + (select.block.groupCondition.map { [$0] } ?? [])
        return all.contains { $0.collects }
    }

    /// `ORDER BY` the rowids where values are collected, so that their order does not depend on the
    /// index that is used.
    private func orderOfDocuments(_ select: Select) -> String {
        guard collects(select) else { return "" }
        let terms = select.scope.sources.compactMap { source -> String? in
            switch source.kind {
            case .records where source.includesDeleted: return nil
            case .records:
                select.scope.noteUse(of: source.sql)
                return source.sql + ".rowid"
            case .indexed: return source.sql + ".i"
            case .elements: return source.sql + ".rowid"
            case .rows: return nil
            }
        }
        return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    }

    /// Whether it has an aggregate function that depends on the outer queries only: SQL would treat
    /// it as one of theirs.
    private func hasForeignAggregate(_ select: Select) throws -> Bool {
        let scope = select.scope
        guard outer != nil else { return false }
        let results = select.results.map(\.expression)
        let condition = select.block.groupCondition.map { [$0] } ?? []
        let others = select.tail.order.map(\.expression) + condition
        return try results.contains { try $0.hasForeignAggregate(scope) }
            || scope.withAllNames { try others.contains { try $0.hasForeignAggregate(scope) } }
    }

    private func requireGroups(_ select: Select) throws {
        guard select.block.groups.isEmpty, select.block.groupCondition == nil,
            !select.results.contains(where: \.isOfManyRows)
        else { return }
        guard !select.tail.order.contains(where: { $0.expression.hasAggregate }) else {
            throw StoreError.invalidQuery(
                "ORDER BY an aggregate function needs GROUP BY, or such a function as a result")
        }
    }

    /// Whether an index provides the groups in order, without reading any row.
    ///
    /// A Boolean and its number in the index are two groups that look equal there: a guard checks
    /// whether there may be any.
    private func answersFromIndex(_ select: Select) throws -> Bool {
        let block = select.block
        let scope = select.scope
        guard !translation.options.avoidsIndexes, !translation.options.onlyChanged, outer == nil,
            block.groups.count == 1, block.condition == nil, aliveTest(scope.sources[0]) == nil,
            scope.joins.isEmpty, let index = try indexedKey(block.groups[0], scope, block)
        else { return false }
        let others =
            select.results.map(\.expression) + select.tail.order.map(\.expression)
            + (block.groupCondition.map { [$0] } ?? [])
        let key = try scope.withAllNames {
            try SQLExpressionWriter.sqlOfAny(block.groups[0], scope)
        }
        let keys = Set([key].compactMap(\.self))
        let results = select.results.map(\.expression)
        let rest = others.dropFirst(results.count)
        guard try results.allSatisfy({ try isOf(keys, $0, scope) }),
            try scope.withAllNames({ try rest.allSatisfy { try isOf(keys, $0, scope) } })
        else { return false }
        translation.guards.append("SELECT 1 FROM \(index.table) WHERE \(index.key) < 2 LIMIT 1")
        scope.trustsIndexes = true
        scope.usedTables = []
        return true
    }

    /// The text of a group key in an index that begins with it, and the table of the index.
    private func indexedKey(
        _ group: QueryExpression, _ scope: QueryScope, _ block: QueryBlock
    ) throws -> (key: String, table: String)? {
        var writer = SQLExpressionWriter(.scope(scope))
        writer.isTextOfIndex = true
        try scope.withAllNames { try writer.write(group) }
        switch scope.sources.last?.kind {
        case .records(let table) where scope.sources.count == 1:
            guard table.indexes.leading.contains(writer.sql),
                scope.sources[0].keepsTypes(writer.typedTexts)
            else { return nil }
            return (writer.sql, table.live)
        case .indexed(let table, _)
        where scope.sources.count == 2 && block.sources[1].join != .left:
            guard table.leading.contains(writer.sql), table.keepsTypes(writer.typedTexts) else {
                return nil
            }
            return (writer.sql, table.sqlName)
        default: return nil
        }
    }

    /// Whether an expression consists of group keys and row counts.
    private func isOf(
        _ keys: Set<String>, _ expression: QueryExpression, _ scope: QueryScope
    ) throws -> Bool {
        if expression.isConstant { return true }
        if case .property(let path) = expression,
            case .name(let owner, let number, let rest) = try scope.resolution(of: path)
        {
            guard rest.components.isEmpty else { return false }
            return try translation.withName {
                try owner.withExpression(ofName: number) { try isOf(keys, $0, scope) }
            }
        }
        if let text = try SQLExpressionWriter.sqlOfAny(expression, scope), keys.contains(text) {
            return true
        }
        if case .function("count", let arguments) = expression {
            return QueryCall(function: "count", arguments: arguments).isOfRows(scope)
        }
        guard case .operation(_, let operands) = expression else { return false }
        return try operands.allSatisfy { try isOf(keys, $0, scope) }
    }

    /// A subquery computes the values of each document, so that SQLite sorts them instead of whole
    /// documents, and so that they keep their types.
    private func grouped(_ select: Select) throws -> Written {
        let scope = select.scope
        let groups = GroupColumns(depth: scope.depth)
        scope.joinsResults = true
        defer { scope.joinsResults = false }
        scope.visibleNames = scope.names.count
        defer { scope.visibleNames = scope.bindingCount }
        var terms: [String] = []
        for group in select.block.groups {
            guard !group.hasAggregate else {
                throw StoreError.invalidQuery("GROUP BY cannot be an aggregate function")
            }
            let column = groups.column(try SQLResultWriter.sql(group, scope, like: writer(scope)))
            terms.append(column + group.sqlOrder)
            if let text = try SQLExpressionWriter.sqlOfAny(group, scope) {
                groups.addKey(text, column, try group.kind(in: scope))
            }
        }
        var one = writer(scope)
        let condition = try condition(select, &one)
        scope.groups = groups
        defer { scope.groups = nil }
        var many = writer(scope)
        many.allowsAggregates = true
        many.allowsWindows = true
        var written = Written(sql: "", columnNames: select.columnNames)
        scope.visibleNames = scope.bindingCount
        let results = try results(select, many, &written, keepsBodies: false)
        scope.visibleNames = scope.names.count
        let having = try having(select, many)
        let tail = try tail(select.tail, many)
        let columns = groups.columns.enumerated().map { "\($1) AS \(groups.name($0))" }
        let order = orderOfDocuments(select)
        written.sql =
            "SELECT \(select.block.isDistinct ? "DISTINCT " : "")\(results) FROM (SELECT "
            + (columns.isEmpty ? "1" : columns.joined(separator: ", ")) + " FROM "
            + sources(select) + condition + order + " LIMIT -1)"
            + (terms.isEmpty ? "" : " GROUP BY " + terms.joined(separator: ", ")) + having + tail
        return written
    }
}
