internal import FleeceLite
package import QueryLanguage

/// Translates queries to plain SQL over tables of JSON: a second translator, which shares no code
/// with the engine's and supports less.
///
/// Values are represented as in the engine: MISSING is `NULL`, null the empty blob, a Boolean 1 or
/// 0; arrays and dictionaries are blobs of their JSON.
package struct JSONQueryWriter {
    typealias NotExpressible = JSONModel.NotExpressible

    /// What a source's rows are in SQL.
    enum Kind {
        /// A table of documents.
        case documents
        /// A `json_each`.
        case elements
        /// A subquery, with its column names.
        case query([String])
    }

    struct Source {
        var names: [[String]]
        /// The alias in SQL.
        var alias: String
        var kind: Kind
    }

    /// The names of one block.
    struct Block {
        var sources: [Source] = []
        var bindings: [String: QueryExpression] = [:]
        var results: [String: QueryExpression] = [:]
    }

    var parameters: [String: ModelValue] = [:]
    var blocks: [Block] = []
    var variables: [String: String] = [:]
    var tables: [String: [String]] = [:]
    /// The number of aliases.
    var count = 0

    package static func sql(
        _ statement: QueryStatement, _ parameters: [String: ModelValue]
    ) throws -> String {
        guard case .select(let select) = statement else {
            throw NotExpressible("a statement that changes documents")
        }
        var writer = JSONQueryWriter(parameters: parameters)
        return try writer.select(select).sql
    }

    var block: Block {
        get { blocks[blocks.count - 1] }
        set { blocks[blocks.count - 1] = newValue }
    }

    mutating func alias() -> String {
        count += 1
        return "s\(count)"
    }

    mutating func select(
        _ select: QuerySelect, isMarked: Bool = false
    ) throws -> (sql: String, columns: [String]) {
        let outer = tables
        defer { tables = outer }
        var with: [String] = []
        for table in select.with {
            let inner = try self.select(table.query)
            tables[table.name] = inner.columns
            with.append("\"with \(table.name)\"(\(names(inner.columns))) AS (\(inner.sql))")
        }
        var (sql, columns) = try body(select.body, select.order, limits(select), isMarked)
        if !with.isEmpty { sql = "WITH " + with.joined(separator: ", ") + " " + sql }
        return (sql, columns)
    }

    /// The columns, followed by the marks that distinguish Booleans from numbers.
    private func names(_ columns: [String], isMarked: Bool = false) -> String {
        let marks = isMarked ? columns.indices.map { "k\($0)" } : []
        return (columns.indices.map { "c\($0)" } + marks).joined(separator: ", ")
    }

    private mutating func limits(_ select: QuerySelect) throws -> String {
        func number(_ expression: QueryExpression) throws -> Int64 {
            switch expression {
            case .literal(.integer(let number)): return max(0, number)
            case .parameter(let name):
                if case .integer(let number) = parameters[name] { return max(0, number) }
            case .operation(.subtract, let operands) where operands.count == 1: return 0
            default: break
            }
            throw NotExpressible("a limit that is not a literal")
        }
        guard select.limit != nil || select.offset != nil else { return "" }
        let limit = try select.limit.map { try number($0) } ?? -1
        return " LIMIT \(limit) OFFSET \(try select.offset.map { try number($0) } ?? 0)"
    }

    private mutating func body(
        _ body: QueryBody, _ order: [QueryOrder], _ limits: String, _ isMarked: Bool
    ) throws -> (sql: String, columns: [String]) {
        switch body {
        case .block(let block): return try self.block(block, order, limits, isMarked)
        case .nested(let select):
            let inner = try self.select(select, isMarked: isMarked)
            let sql = "SELECT \(names(inner.columns, isMarked: isMarked)) FROM (\(inner.sql))"
            return (try sorted(sql, inner.columns, order) + limits, inner.columns)
        case .compound(let operation, let isAll, let one, let other):
            // Set operations must distinguish Booleans from numbers.
            let needsMarks = isMarked || !isAll
            let left = try self.body(one, [], "", needsMarks)
            let right = try self.body(other, [], "", needsMarks)
            let known = operation.rawValue + (isAll ? " ALL" : "")
            let sql =
                "SELECT \(names(left.columns, isMarked: isMarked)) FROM "
                + "(SELECT * FROM (\(left.sql)) \(known) SELECT * FROM (\(right.sql)))"
            return (try sorted(sql, left.columns, order) + limits, left.columns)
        }
    }

    /// Sorts by columns.
    private func sorted(
        _ sql: String, _ columns: [String], _ order: [QueryOrder]
    ) throws -> String {
        guard !order.isEmpty else { return sql }
        let terms = try order.map { term in
            guard case .property(let path) = term.expression, path.components.count == 1,
                case .key(let name) = path.components[0], let index = columns.firstIndex(of: name)
            else { throw NotExpressible("the order of a compound query by an expression") }
            return "c\(index)" + direction(term)
        }
        return sql + " ORDER BY " + terms.joined(separator: ", ")
    }

    func direction(_ term: QueryOrder) -> String {
        (term.isDescending ? " DESC" : "")
            + (term.missingIsLast.map { $0 ? " NULLS LAST" : " NULLS FIRST" } ?? "")
    }
}

// One SELECT.
extension JSONQueryWriter {
    private mutating func block(
        _ query: QueryBlock, _ order: [QueryOrder], _ limits: String, _ isMarked: Bool
    ) throws -> (sql: String, columns: [String]) {
        let outer = blocks
        blocks.append(Block())
        defer { blocks = outer }
        let results =
            query.results.isEmpty
            ? [.id, .sequence].map { QueryResult(expression: .meta($0, source: nil)) }
            : query.results
        for binding in query.bindings { block.bindings[binding.name] = binding.expression }
        let from = try sources(query.sources)
        var columns = try results.enumerated().map { index, result in
            "\(try value(result.expression)) AS c\(index)"
        }
        if isMarked || query.isDistinct {
            columns += try results.enumerated().map { "\(try mark($1.expression)) AS k\($0)" }
        }
        // Results cannot refer to each other.
        for result in results {
            if let alias = result.alias { block.results[alias] = result.expression }
        }
        var sql = "SELECT \(columns.joined(separator: ", "))"
        var tail = " FROM " + from
        if let condition = query.condition { tail += " WHERE " + (try value(condition)) }
        if !query.groups.isEmpty {
            let groups = try query.groups.flatMap { try identity($0) }
            tail += " GROUP BY " + groups.joined(separator: ", ")
        }
        if let condition = query.groupCondition { tail += " HAVING " + (try value(condition)) }
        let aliases = results.map { $0.alias ?? "" }
        if query.isDistinct {
            sql = "SELECT DISTINCT \(columns.joined(separator: ", "))" + tail
            sql = "SELECT \(names(aliases, isMarked: isMarked)) FROM (\(sql))"
            return (try sorted(sql, aliases, order) + limits, aliases)
        }
        let terms = try order.map { try value($0.expression) + direction($0) }
        let sorting = terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
        return (sql + tail + sorting + limits, aliases)
    }

    /// The SQL by which values are equal in a group.
    private mutating func identity(_ expression: QueryExpression) throws -> [String] {
        [try value(expression), try mark(expression)]
    }

    private mutating func sources(_ sources: [QuerySource]) throws -> String {
        let standard = QuerySource(
            kind: .collection(QueryCollectionName(scope: nil, collection: "_")), alias: "_doc")
        var sql = ""
        for source in sources.isEmpty ? [standard] : sources {
            let alias = alias()
            let table = try table(source, alias)
            if !block.sources.isEmpty {
                sql += source.join == .left ? " LEFT JOIN " : " JOIN "
            }
            sql += "\(table.sql) AS \(alias)"
            let names = source.alias.map { [[$0]] } ?? table.names
            block.sources.append(Source(names: names, alias: alias, kind: table.kind))
            if let condition = source.condition {
                sql += " ON " + (try value(condition))
            }
        }
        return sql
    }

    private mutating func table(
        _ source: QuerySource, _ alias: String
    ) throws -> (sql: String, names: [[String]], kind: Kind) {
        switch source.kind {
        case .collection(let name):
            if name.scope == nil, let columns = tables[name.collection] {
                return ("\"with \(name.collection)\"", [[name.collection]], .query(columns))
            }
            let isDefault = name.scope == nil && ["_", "_default"].contains(name.collection)
            let full = (name.scope ?? "_default") + "." + (isDefault ? "_default" : name.collection)
            let scoped = name.scope.map { [[$0, name.collection]] } ?? []
            return (JSONModel.table(full), [[name.collection]] + scoped, .documents)
        case .query(let select):
            let outer = blocks
            defer { blocks = outer }
            blocks.removeLast()
            let inner = try self.select(select)
            return ("(\(inner.sql))", [], .query(inner.columns))
        case .unnest(let expression):
            guard case .property(let path) = expression,
                let location = try jsonLocation(of: path.components), location.isJSON
            else { throw NotExpressible("UNNEST of a value") }
            var names: [[String]] = []
            if case .key(let last) = path.components.last { names = [[last]] }
            return ("json_each(\(location.json), \(location.path))", names, .elements)
        }
    }
}
