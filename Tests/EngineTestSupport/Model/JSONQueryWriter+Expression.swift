internal import FleeceLite
internal import QueryLanguage
import StoreFormat

extension JSONQueryWriter {
    mutating func value(_ expression: QueryExpression) throws -> String {
        switch expression {
        case .literal(let literal): return try literalSQL(ModelValue(literal))
        case .parameter(let name): return try literalSQL(parameters[name] ?? .missing)
        case .property(let path): return try value(meaning(of: path.components))
        case .variable(let name, let path):
            return try value(element(variables[name] ?? "", path.components[...]))
        case .meta(let property, let source): return try meta(property, source)
        case .operation(let known, let operands): return try operation(known, operands)
        case .function(let name, let arguments):
            return try call(QueryCall(function: name, arguments: arguments))
        case .call(let call): return try self.call(call)
        case .subquery(let select): return "(\(try self.select(select).sql))"
        case .collate(let collation, let inner): return try collated(collation, inner)
        case .cases(let subject, let branches, let otherwise):
            return try cases(subject, branches, otherwise)
        case .quantified(let quantifier): return try quantified(quantifier)
        case .array, .dictionary: return try literalSQL(constant(expression))
        case .nested, .match, .rank, .prediction, .blob, .located:
            throw NotExpressible("\(expression)")
        }
    }

    private func constant(_ expression: QueryExpression) throws -> ModelValue {
        switch expression {
        case .literal(let literal): return ModelValue(literal)
        case .array(let elements):
            return .array(try elements.map { try constant($0) }.filter { !$0.isMissing })
        case .dictionary(let entries):
            var members: [ModelString: ModelValue] = [:]
            for entry in entries { members[ModelString(entry.key)] = try constant(entry.value) }
            return .object(members.filter { !$0.value.isMissing })
        default: throw NotExpressible("a constructed array or dictionary")
        }
    }

    private func literalSQL(_ value: ModelValue) throws -> String {
        switch value {
        case .missing: return "NULL"
        case .null: return "x''"
        case .boolean(let bool): return bool ? "1" : "0"
        case .integer(let number): return "\(number)"
        case .unsigned(let number): return "\(Int64(bitPattern: number))"
        case .real(let number): return "\(number)"
        case .text(let text): return text.string.sqlLiteral
        case .data, .array, .object: return "CAST(\(value.json(isSigned: true).sqlLiteral) AS BLOB)"
        }
    }

    private func meta(_ property: MetaProperty, _ name: String?) throws -> String {
        var found: Source?
        if let name {
            for block in blocks.reversed() where found == nil {
                found = block.sources.first { $0.names.contains([name]) }
            }
        } else if block.sources.count == 1 {
            found = block.sources[0]
        }
        guard let found, case .documents = found.kind else { throw NotExpressible("META") }
        switch property {
        case .id: return "\(found.alias).id"
        case .sequence: return "\(found.alias).seq"
        default: throw NotExpressible("META.\(property)")
        }
    }

    private mutating func cases(
        _ subject: QueryExpression?, _ branches: [QueryCase], _ otherwise: QueryExpression?
    ) throws -> String {
        var sql = "(CASE"
        if let subject { sql += " " + (try value(subject)) }
        for branch in branches {
            sql += " WHEN \(try value(branch.condition)) THEN \(try value(branch.value))"
        }
        return sql + " ELSE \(try otherwise.map { try value($0) } ?? "x''") END)"
    }
}

// Operators.
extension JSONQueryWriter {
    private mutating func collated(
        _ collation: QueryCollation, _ inner: QueryExpression
    ) throws -> String {
        guard !collation.isUnicode else { throw NotExpressible("a Unicode collation") }
        let name = collation.isCaseSensitive ? "BINARY" : "NOCASE"
        guard case .operation(let known, var operands) = inner, known.isOrdered else {
            return "(\(try value(inner)) COLLATE \(name))"
        }
        operands[0] = .collate(collation, operands[0])
        return try operation(known, operands)
    }

    private mutating func operation(
        _ known: QueryOperator, _ operands: [QueryExpression]
    ) throws -> String {
        switch known {
        case .concatenate: return try concatenated(operands)
        case .exists: return try exists(operands[0])
        case .in, .notIn:
            let isIn = try membership(operands)
            return known == .in ? isIn : "(NOT \(isIn))"
        case .like: return try like(operands)
        default: break
        }
        let values = try operands.map { try value($0) }
        switch known {
        case .not: return "(NOT \(values[0]))"
        case .subtract where values.count == 1: return "(0 - \(values[0]))"
        case .divide:
            return "(CASE WHEN \(values[0]) IS NULL OR \(values[1]) IS NULL THEN NULL "
                + "WHEN \(try isNumber(operands[0], values[0])) "
                + "AND \(try isNumber(operands[1], values[1])) "
                + "THEN coalesce(1.0 * \(values[0]) / \(values[1]), x'') ELSE x'' END)"
        case .isValued: return "(\(values[0]) IS NOT NULL AND \(values[0]) IS NOT x'')"
        case .between: return "(\(values[0]) BETWEEN \(values[1]) AND \(values[2]))"
        case .isDistinctFrom: return "(\(values[0]) IS NOT \(values[1]))"
        case .isNotDistinctFrom: return "(\(values[0]) IS \(values[1]))"
        case .is where operands[1] == .literal(.null): return "(\(values[0]) = x'')"
        case .isNot where operands[1] == .literal(.null): return "(\(values[0]) != x'')"
        default: return "(" + values.joined(separator: " \(known.rawValue) ") + ")"
        }
    }

    private func isNumber(_ expression: QueryExpression, _ value: String) throws -> String {
        if case .operation(let known, _) = expression, known.isReckoning {
            return "typeof(\(value)) IN ('integer', 'real')"
        }
        return "\(try type(expression)) IN ('integer', 'real', 'true', 'false')"
    }

    private mutating func exists(_ operand: QueryExpression) throws -> String {
        switch operand {
        case .subquery(let select): return "EXISTS (\(try self.select(select).sql))"
        case .property: return "(\(try value(operand)) IS NOT NULL)"
        default: throw NotExpressible("EXISTS of a value")
        }
    }

    private mutating func membership(_ operands: [QueryExpression]) throws -> String {
        let value = try value(operands[0])
        guard operands.count == 2 else { throw NotExpressible("IN of several") }
        switch operands[1] {
        case .array(let elements):
            let list = try elements.map { try self.value($0) }.joined(separator: ", ")
            return "(\(value) IN (\(list)))"
        case .subquery(let select): return "(\(value) IN (\(try self.select(select).sql)))"
        default: return try arrayContains(operands[1], operands[0])
        }
    }

    private mutating func like(_ operands: [QueryExpression]) throws -> String {
        guard case .collate(let collation, let inner) = operands[0] else {
            return "(\(try value(operands[0])) LIKE \(try value(operands[1])) ESCAPE '\\')"
        }
        guard !collation.isUnicode, !collation.isCaseSensitive else {
            throw NotExpressible("LIKE with a collation")
        }
        let (text, pattern) = (try value(inner), try value(operands[1]))
        return "(CASE WHEN \(text) IS NULL OR \(pattern) IS NULL THEN NULL "
            + "WHEN typeof(\(text)) = 'text' AND typeof(\(pattern)) = 'text' "
            + "THEN lower(\(text)) LIKE lower(\(pattern)) ESCAPE '\\' ELSE x'' END)"
    }

    private mutating func concatenated(_ operands: [QueryExpression]) throws -> String {
        let texts = try operands.map { operand in
            let value = try value(operand)
            return "(CASE \(try type(operand)) WHEN 'null' THEN 'null' WHEN 'true' THEN "
                + "CASE \(value) WHEN 1 THEN 'true' ELSE 'false' END WHEN 'false' THEN 'false' "
                + "WHEN 'array' THEN CAST(\(value) AS TEXT) WHEN 'object' THEN "
                + "CAST(\(value) AS TEXT) ELSE \(value) END)"
        }
        return "(" + texts.joined(separator: " || ") + ")"
    }
}

// ANY and EVERY.
extension JSONQueryWriter {
    /// The `json_each` of a property, with an alias.
    private mutating func each(_ collection: QueryExpression, _ alias: String) throws -> String {
        var meaning: Meaning
        switch collection {
        case .property(let path): meaning = try self.meaning(of: path.components)
        case .variable(let name, let path):
            meaning = try element(variables[name] ?? "", path.components[...])
        default: throw NotExpressible("the elements of a value")
        }
        if case .expression(let inner) = meaning { return try each(inner, alias) }
        guard case .json(let json, let path) = meaning else {
            throw NotExpressible("the elements of an element")
        }
        return "json_each(\(json), \(path)) AS \(alias)"
    }

    private mutating func quantified(_ quantifier: QueryQuantifier) throws -> String {
        if quantifier.kind == .any, let target = quantifier.searchedValue {
            return try contains(quantifier.collection, target)
        }
        let alias = alias()
        let each = try each(quantifier.collection, alias)
        let outer = variables
        defer { variables = outer }
        variables[quantifier.variable] = alias
        let condition = try value(quantifier.condition)
        let any = "EXISTS (SELECT 1 FROM \(each)"
        let every = "NOT \(any) WHERE NOT \(condition))"
        switch quantifier.kind {
        case .any: return "(\(any) WHERE \(condition)))"
        case .every: return "(\(every))"
        case .anyAndEvery:
            let type = try type(quantifier.collection)
            let isFilled =
                "CASE \(type) WHEN 'array' THEN \(any) WHERE \(alias).type != 'null') "
                + "WHEN 'object' THEN \(any)) END"
            return "(\(isFilled) AND \(every))"
        }
    }

    private mutating func contains(
        _ collection: QueryExpression, _ target: QueryExpression
    ) throws -> String {
        let alias = alias()
        let each = try each(collection, alias)
        let (value, mark) = (try value(target), try mark(target))
        let element = try self.value(.element(alias))
        return "(CASE WHEN \(try type(collection)) IN ('array', 'object') AND \(value) IS NOT NULL "
            + "THEN EXISTS (SELECT 1 FROM \(each) WHERE \(element) = \(value) "
            + "AND (\(alias).type IN ('true', 'false')) = (\(mark))) END)"
    }
}

// Elements of arrays.
extension JSONQueryWriter {
    /// Null if the value is not an array.
    private mutating func arrayContains(
        _ array: QueryExpression, _ target: QueryExpression
    ) throws -> String {
        let type = try type(array)
        return "(CASE WHEN \(type) IS NULL THEN NULL WHEN \(type) != 'array' THEN x'' "
            + "ELSE \(try contains(array, target)) END)"
    }
}

// Functions.
extension JSONQueryWriter {
    private mutating func call(_ call: QueryCall) throws -> String {
        let isCount = call.function == "count"
        if isCount, call.arguments == [.property(PropertyPath([]))] {
            return try "count(*)" + tail(call)
        }
        let values = try call.arguments.map { try value($0) }
        let isAggregate = QueryFunction(named: call.function)?.isAggregate == true
        if isAggregate || call.window != nil {
            guard call.function != "array_agg" else { throw NotExpressible("array_agg") }
            guard call.isDistinct else {
                return "\(call.function)(\(values.joined(separator: ", ")))" + (try tail(call))
            }
            guard isCount else { throw NotExpressible("\(call.function)(DISTINCT)") }
            // Booleans must be distinct from numbers.
            return "count(DISTINCT CASE WHEN \(values[0]) IS NOT NULL THEN quote(\(values[0])) "
                + "|| (\(try mark(call.arguments[0]))) END)" + (try tail(call))
        }
        return try function(call.function, values, call.arguments)
    }

    private mutating func tail(_ call: QueryCall) throws -> String {
        var sql = try call.filter.map { " FILTER (WHERE \(try value($0)))" } ?? ""
        guard let window = call.window else { return sql }
        sql += " OVER ("
        if !window.partitions.isEmpty {
            let parts = try window.partitions.map { "\(try value($0)), \(try mark($0))" }
            sql += "PARTITION BY " + parts.joined(separator: ", ")
        }
        if !window.order.isEmpty {
            let terms = try window.order.map { try value($0.expression) + direction($0) }
            sql += " ORDER BY " + terms.joined(separator: ", ")
        }
        if let frame = window.frame {
            guard frame.exclusion == nil else { throw NotExpressible("EXCLUDE") }
            sql +=
                " \(frame.unit.rawValue) BETWEEN \(try bound(frame.start)) "
                + "AND \(try bound(frame.end ?? .currentRow))"
        }
        return sql + ")"
    }

    private mutating func bound(_ bound: QueryFrame.Bound) throws -> String {
        switch bound {
        case .unboundedPreceding: "UNBOUNDED PRECEDING"
        case .preceding(let distance): "\(try value(distance)) PRECEDING"
        case .currentRow: "CURRENT ROW"
        case .following(let distance): "\(try value(distance)) FOLLOWING"
        case .unboundedFollowing: "UNBOUNDED FOLLOWING"
        }
    }

    private mutating func function(
        _ name: String, _ values: [String], _ arguments: [QueryExpression]
    ) throws -> String {
        let list = values.joined(separator: ", ")
        let first = values.first ?? ""
        func ofText(_ sql: String) -> String {
            "(CASE typeof(\(first)) WHEN 'text' THEN \(sql) WHEN 'null' THEN NULL ELSE x'' END)"
        }
        switch name {
        case "greatest": return "max(\(list))"
        case "least": return "min(\(list))"
        case "ifmissing": return "coalesce(\(list))"
        case "ifnull" where values.count == 2:
            return "(CASE WHEN \(first) IS x'' THEN \(values[1]) ELSE \(first) END)"
        case "ifmissingornull" where values.count == 2:
            return "(CASE WHEN \(first) IS NOT NULL AND \(first) IS NOT x'' THEN \(first) "
                + "ELSE coalesce(\(values[1]), x'') END)"
        case "replace":
            return ofText("replace(\(list))")
        case "type":
            return "(CASE \(try type(arguments[0])) WHEN 'null' THEN x'' WHEN 'true' THEN "
                + "'boolean' WHEN 'false' THEN 'boolean' WHEN 'integer' THEN 'number' "
                + "WHEN 'real' THEN 'number' WHEN 'text' THEN 'string' WHEN 'missing' THEN NULL "
                + "ELSE \(try type(arguments[0])) END)"
        case "isvalued": return "(\(first) IS NOT NULL AND \(first) IS NOT x'')"
        case "length": return ofText("length(\(first))")
        case "isnumber": return try isType(arguments[0], ["integer", "real"])
        case "isstring": return try isType(arguments[0], ["text"])
        case "isboolean": return try isType(arguments[0], ["true", "false"])
        case "isarray": return try isType(arguments[0], ["array"])
        case "isobject": return try isType(arguments[0], ["object"])
        case "array_length":
            let type = try type(arguments[0])
            return "(CASE \(type) WHEN 'array' THEN json_array_length(CAST(\(first) AS TEXT)) "
                + "ELSE 0 END)"
        case "abs":
            let isNumber = try isType(arguments[0], ["integer", "real", "true", "false"])
            return "(CASE \(isNumber) WHEN 1 THEN abs(1.0 * \(first)) WHEN 0 THEN x'' "
                + "ELSE \(isNumber) END)"
        default: throw NotExpressible("\(name)()")
        }
    }

    /// Null has no type, and the type of MISSING is MISSING.
    private func isType(_ expression: QueryExpression, _ names: [String]) throws -> String {
        let type = try type(expression)
        let list = names.map(\.sqlLiteral).joined(separator: ", ")
        return "(CASE WHEN \(type) = 'null' THEN x'' WHEN \(type) = 'missing' THEN NULL "
            + "ELSE \(type) IN (\(list)) END)"
    }
}

extension QueryOperator {
    fileprivate var isReckoning: Bool {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulo: true
        default: false
        }
    }
}
