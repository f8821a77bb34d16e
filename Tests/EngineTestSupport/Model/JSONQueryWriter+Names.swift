internal import FleeceLite
internal import QueryLanguage

// The meaning of names in SQL.
extension JSONQueryWriter {
    enum Meaning {
        /// A value in a JSON text; both are SQL.
        case json(String, path: String)
        /// A row of `json_each`, by its alias.
        case element(String)
        /// A column of a query.
        case column(String)
        case expression(QueryExpression)
    }

    struct JSONLocation {
        var json: String
        var path: String
        var isJSON: Bool
    }

    /// The location of a path in JSON; nil if it is not a property.
    func jsonLocation(of path: [PropertyPath.Component]) throws -> JSONLocation? {
        guard case .json(let json, let path) = try meaning(of: path) else { return nil }
        return JSONLocation(json: json, path: path, isJSON: true)
    }

    func meaning(of path: [PropertyPath.Component]) throws -> Meaning {
        for block in blocks.reversed() {
            for source in block.sources {
                let row = ModelSource(names: source.names, row: .none)
                guard let rest = row.rest(of: path) else { continue }
                return try meaning(of: rest, in: source)
            }
        }
        if case .key(let name) = path.first {
            for block in blocks.reversed() {
                guard let bound = block.bindings[name] else { continue }
                return .expression(try nested(bound, path.dropFirst()))
            }
            if path.count == 1, let result = block.results[name] { return .expression(result) }
        }
        guard block.sources.count == 1 else { throw NotExpressible("a name of which source?") }
        return try meaning(of: path[...], in: block.sources[0])
    }

    private func nested(
        _ expression: QueryExpression, _ rest: ArraySlice<PropertyPath.Component>
    ) throws -> QueryExpression {
        if rest.isEmpty { return expression }
        guard case .property(let path) = expression else {
            throw NotExpressible("a property of a name for an expression")
        }
        return .property(PropertyPath(path.components + rest))
    }

    private func meaning(
        of rest: ArraySlice<PropertyPath.Component>, in source: Source
    ) throws -> Meaning {
        switch source.kind {
        case .documents: return .json("\(source.alias).j", path: try jsonPath(rest))
        case .elements: return try element(source.alias, rest)
        case .query(let columns):
            guard case .key(let name) = rest.first, let index = columns.firstIndex(of: name) else {
                throw NotExpressible("a whole row")
            }
            let column = "\(source.alias).c\(index)"
            if rest.count == 1 { return .column(column) }
            let json =
                "CASE WHEN typeof(\(column)) = 'blob' AND \(column) != x'' "
                + "THEN CAST(\(column) AS TEXT) END"
            return .json(json, path: try jsonPath(rest.dropFirst()))
        }
    }

    func element(
        _ alias: String, _ rest: ArraySlice<PropertyPath.Component>
    ) throws -> Meaning {
        if rest.isEmpty { return .element(alias) }
        let json = "CASE WHEN \(alias).type IN ('array', 'object') THEN \(alias).value END"
        return .json(json, path: try jsonPath(rest))
    }

    private func jsonPath(_ path: ArraySlice<PropertyPath.Component>) throws -> String {
        var text = "$"
        for step in path {
            switch step {
            case .key(let key):
                guard !key.contains("\"") else { throw NotExpressible("a quote in a key") }
                text += ".\"\(key)\""
            case .index(let index): text += index < 0 ? "[#\(index)]" : "[\(index)]"
            }
        }
        return text.sqlLiteral
    }
}

// The values of names.
extension JSONQueryWriter {
    mutating func value(_ meaning: Meaning) throws -> String {
        switch meaning {
        case .json(let json, let path):
            let whole = "json_extract(\(json), \(path))"
            return "(CASE json_type(\(json), \(path)) WHEN 'null' THEN x'' WHEN 'true' THEN 1 "
                + "WHEN 'false' THEN 0 WHEN 'array' THEN CAST(\(whole) AS BLOB) "
                + "WHEN 'object' THEN CAST(\(whole) AS BLOB) ELSE \(whole) END)"
        case .element(let alias):
            let whole = "\(alias).value"
            return "(CASE \(alias).type WHEN 'null' THEN x'' WHEN 'array' THEN "
                + "CAST(\(whole) AS BLOB) WHEN 'object' THEN CAST(\(whole) AS BLOB) "
                + "ELSE \(whole) END)"
        case .column(let name): return name
        case .expression(let expression):
            let results = block.results
            block.results = [:]
            defer { block.results = results }
            return try value(expression)
        }
    }

    /// The name that SQLite's JSON functions give to a value's type.
    func type(_ meaning: Meaning) throws -> String {
        switch meaning {
        case .json(let json, let path): return "json_type(\(json), \(path))"
        case .element(let alias): return "\(alias).type"
        case .column: throw NotExpressible("the type of a column")
        case .expression(let expression):
            var inner = self
            inner.block.results = [:]
            return try inner.type(expression)
        }
    }

    func type(_ expression: QueryExpression) throws -> String {
        switch expression {
        case .property(let path): return try type(meaning(of: path.components))
        case .variable(let name, let path):
            return try type(element(variables[name] ?? "", path.components[...]))
        case .literal(let literal): return ModelValue(literal).jsonType.sqlLiteral
        case .parameter(let name):
            return (parameters[name] ?? .missing).jsonType.sqlLiteral
        case .meta(.id, _): return "'text'"
        case .meta(.sequence, _): return "'integer'"
        default:
            guard expression.isBoolean else { throw NotExpressible("the type of an expression") }
            return "'true'"
        }
    }

    /// Whether a value is a Boolean, not a number.
    func mark(_ expression: QueryExpression) throws -> String {
        "\(try type(expression)) IN ('true', 'false')"
    }
}

extension ModelValue {
    /// The JSON type; MISSING has none.
    fileprivate var jsonType: String {
        switch self {
        case .missing: "missing"
        case .null: "null"
        case .boolean(let bool): "\(bool)"
        case .integer, .unsigned: "integer"
        case .real: "real"
        case .text, .data: "text"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension String {
    /// The string in single quotes.
    package var sqlLiteral: String {
        "'"
            + split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }
}

extension QueryExpression {
    /// Whether the value is always a Boolean, or MISSING.
    var isBoolean: Bool {
        switch self {
        case .literal(.boolean), .quantified: true
        case .operation(let known, _): known.isBoolean
        default: false
        }
    }
}

extension QueryOperator {
    fileprivate var isBoolean: Bool {
        switch self {
        case .concatenate, .multiply, .divide, .modulo, .add, .subtract, .like: false
        default: true
        }
    }
}
