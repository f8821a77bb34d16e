package import FleeceLite
internal import StoreFormat

/// Reads statements and expressions in the JSON form: arrays that begin with the name of an
/// operation.
///
/// A string stands for a property in lists of expressions: in `WHAT`, `GROUP_BY` and `ORDER_BY`,
/// and in the list of an index if it begins with a dot.
///
/// A statement is a dictionary of clauses, `["SELECT", {clauses}]`, or the condition of a query
/// alone, as in LiteCore: `WHAT`, `FROM`, `WHERE`, `GROUP_BY`, `HAVING`, `ORDER_BY`, `LIMIT`,
/// `OFFSET`, `DISTINCT`. This project adds, in the same style:
///
/// ```
/// clauses  = { …, "LET": [["AS", expression, "name"], …],
///              "WITH": [{"AS": "name", "SELECT": query}, …] }
///          | { "SELECT": query, "WITH", "ORDER_BY", "LIMIT", "OFFSET" }      of all its rows
/// query    = clauses | ["SELECT", clauses] | [set, query, query, …]
/// set      = "UNION" | "INTERSECT" | "EXCEPT" | "UNION ALL" | "INTERSECT ALL" | "EXCEPT ALL"
/// source   = {"SELECT": query, "AS", "JOIN", "ON"}                           in FROM
/// result   = ["AS", expression]                    without an alias; also of a group, for a text
/// order    = ["NULLS FIRST", order] | ["NULLS LAST", order]
/// call     = ["CALL", {"FUNCTION": "name", "ARGUMENTS": [expression, …], "DISTINCT": true,
///              "FILTER": expression, "OVER": window}]
/// window   = {"PARTITION_BY": [expression, …], "ORDER_BY": [order, …], "FRAME": frame}
/// frame    = {"UNIT": "ROWS" | "RANGE" | "GROUPS", "START": bound, "END": bound,
///              "EXCLUDE": "CURRENT ROW" | "GROUP" | "TIES"}
/// bound    = ["UNBOUNDED PRECEDING"] | ["PRECEDING", expression] | ["CURRENT ROW"]
///          | ["FOLLOWING", expression] | ["UNBOUNDED FOLLOWING"]
/// update   = ["UPDATE", {"COLLECTION", "SCOPE", "AS", "SET": [["=", ".path", expression], …],
///              "UNSET": [".path", …], "WHERE", "LIMIT"}]
/// delete   = ["DELETE", {"COLLECTION", "SCOPE", "AS", "WHERE", "LIMIT"}]
/// ```
///
/// A query in a list of operands or in an expression corresponds to `( … )` in SQL++.
package struct QueryJSONReader {
    /// The maximum nesting depth of expressions.
    static let depthLimit = 200

    /// The current nesting depth.
    private var depth = 0
    /// The collation of the enclosing `COLLATE`. An inner `COLLATE` inherits the options that it
    /// does not specify, as in LiteCore.
    private var collationAround = QueryCollation()
    /// The number of blocks of clauses read so far.
    var blocks = 0

    /// Reads a list of expressions: `[[".name"], ".age"]`.
    ///
    /// - Throws: `.invalidQuery` with a description of the error.
    static func expressions(_ json: String) throws -> [QueryExpression] {
        try expressions(root(json))
    }

    /// Reads a list of expressions that was already parsed.
    package static func expressions(_ list: FleeceValue) throws -> [QueryExpression] {
        guard let list = list.array else {
            throw StoreError.invalidQuery("a list of expressions must be an array: \(text(list))")
        }
        var reader = QueryJSONReader()
        return try list.map { try reader.listed($0) }
    }

    /// Reads one expression: `["=", [".age"], 3]`.
    package static func expression(_ json: String) throws -> QueryExpression {
        try expression(root(json))
    }

    /// Reads one expression that was already parsed.
    package static func expression(_ value: FleeceValue) throws -> QueryExpression {
        var reader = QueryJSONReader()
        return try reader.expression(value)
    }

    /// Parses JSON text and returns its root value.
    package static func root(_ json: String) throws -> FleeceValue {
        do {
            return try FleeceDocument(json: json).root
        } catch {
            throw StoreError.invalidQuery("invalid JSON: \(error)", underlying: error)
        }
    }

    /// An expression of `WHAT`, `GROUP_BY` or `ORDER_BY`, where a string is a property, with or
    /// without a leading dot; `["AS", expression]` is any expression.
    mutating func term(_ value: FleeceValue) throws -> QueryExpression {
        if let text = value.string {
            let hasDot = text.utf8.first == UInt8(ascii: ".")
            return try Self.property(text.dropFirst(hasDot ? 1 : 0))
        }
        guard let array = value.array, array.count == 2,
            array[0].string?.asciiUppercased == "AS"
        else { return try expression(value) }
        return try expression(array[1])
    }

    /// An expression of a list.
    mutating func listed(_ value: FleeceValue) throws -> QueryExpression {
        if let text = value.string, text.utf8.first == UInt8(ascii: ".") {
            return try Self.property(text.dropFirst())
        }
        return try expression(value)
    }

    static func text(_ value: FleeceValue) -> String { (try? value.json()) ?? "?" }
}

extension QueryJSONReader {
    /// Enters some levels of nesting; must be balanced by `ascend`.
    mutating func descend(levels: Int) throws {
        guard depth + levels <= Self.depthLimit else {
            throw StoreError.invalidQuery(
                "expressions are nested more than \(Self.depthLimit) deep")
        }
        depth += levels
    }

    mutating func ascend(levels: Int) { depth -= levels }

    mutating func expression(_ value: FleeceValue) throws -> QueryExpression {
        try descend(levels: 1)
        defer { ascend(levels: 1) }
        if let array = value.array { return try operation(array) }
        if let dictionary = value.dictionary { return try literal(dictionary) }
        return .literal(try literal(value))
    }

    private func literal(_ value: FleeceValue) throws -> QueryLiteral {
        switch value.kind {
        case .null: return .null
        case .bool: return .boolean(value.bool ?? false)
        case .string: return .string(value.string ?? "")
        default:
            if let number = value.int { return .integer(number) }
            if let number = value.uint { return .unsigned(number) }
            if let number = value.double, number.isFinite { return .real(number) }
            throw StoreError.invalidQuery("the value has no literal form: \(Self.text(value))")
        }
    }

    private mutating func literal(_ dictionary: FleeceDictionary) throws -> QueryExpression {
        var entries: [QueryDictionaryEntry] = []
        for (key, value) in dictionary {
            entries.append(QueryDictionaryEntry(key: key, value: try expression(value)))
        }
        return .dictionary(entries.sortedByKey)
    }

    private mutating func operation(_ array: FleeceArray) throws -> QueryExpression {
        guard let first = array.first else { throw StoreError.invalidQuery("operation is missing") }
        guard let name = first.string else {
            throw StoreError.invalidQuery(
                "an operation's name must be a string: \(Self.text(first))")
        }
        if name.asciiUppercased == "CALL" { return try call(array) }
        if let query = try query(array) { return .subquery(query) }
        let operands = Array(array.dropFirst())
        if let special = try special(name, operands) { return special }
        if let expression = try shorthand(name, operands) { return expression }
        if name.hasSuffix("()") { return try call(String(name.dropLast(2)), operands) }
        guard let known = QueryOperator(rawValue: name.uppercased()) else {
            throw StoreError.invalidQuery("unknown operator: \(name)")
        }
        try requireCount(of: operands, known.operandCounts, name)
        return .operation(known, try all(operands))
    }

    /// Operations with special forms.
    private mutating func special(
        _ name: String, _ operands: [FleeceValue]
    ) throws -> QueryExpression? {
        switch name.uppercased() {
        case "MISSING":
            try requireCount(of: operands, 0...0, name)
            return .literal(.missing)
        case "[]": return .array(try all(operands))
        case ".": return .reading(try Self.path(operands, name))
        case "$":
            try requireCount(of: operands, 1...1, name)
            return .parameter(try Self.parameter(operands[0].string ?? Self.text(operands[0])))
        case "?":
            guard let variable = operands.first?.string else {
                throw StoreError.invalidQuery("? needs the name of a variable")
            }
            return .variable(variable, try Self.path(Array(operands.dropFirst()), name))
        case "_.":
            try requireCount(of: operands, 2...2, name)
            return try nested(operands[0], operands[1].string ?? "", name)
        case "BLOB":
            try requireCount(of: operands, 1...1, name)
            if operands[0].array != nil, case .property(let path) = try expression(operands[0]) {
                return .blob(path)
            }
            guard let path = operands[0].string else {
                throw StoreError.invalidQuery("BLOB needs the path of a property")
            }
            // The path itself, or a property in its usual form.
            let isProperty = path.utf8.first == UInt8(ascii: ".")
            return .blob(try Self.path(path.dropFirst(isProperty ? 1 : 0), of: name))
        case "CASE": return try cases(operands)
        case "COLLATE":
            try requireCount(of: operands, 2...2, name)
            let outer = collationAround
            defer { collationAround = outer }
            collationAround = try collation(operands[0], in: outer)
            return .collate(collationAround, try expression(operands[1]))
        case "ANY", "EVERY", "ANY AND EVERY": return try quantified(name, operands)
        default: return nil
        }
    }

    /// Names with a sigil: `.name`, `$parameter`, `?variable.name`, `_.name`.
    private mutating func shorthand(
        _ name: String, _ operands: [FleeceValue]
    ) throws -> QueryExpression? {
        if name.hasPrefix("_.") {
            try requireCount(of: operands, 1...1, name)
            return try nested(operands[0], name.dropFirst(2), name)
        }
        switch name.utf8.first {
        case UInt8(ascii: "."):
            guard operands.isEmpty else {
                throw StoreError.invalidQuery("\(name) is a property and takes no operands")
            }
            return try Self.property(name.dropFirst())
        case UInt8(ascii: "$"):
            try requireCount(of: operands, 0...0, name)
            return .parameter(try Self.parameter(String(name.dropFirst())))
        case UInt8(ascii: "?"): return try variable(name, operands)
        default: return nil
        }
    }

    /// `["?x"]`, `["?x.name"]`, `["?x", "name", [0]]`, also with a dot before the name.
    private func variable(
        _ name: String, _ operands: [FleeceValue]
    ) throws -> QueryExpression {
        var text = name.dropFirst()
        if text.utf8.first == UInt8(ascii: ".") { text = text.dropFirst() }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts.count > 1 ? try Self.path(parts[1], of: name) : PropertyPath([])
        let steps = try Self.path(operands, name)
        return .variable(
            String(parts.first ?? ""), PropertyPath(path.components + steps.components))
    }

    /// A property of the value of an expression, also of `["META()"]`.
    private mutating func nested(
        _ value: FleeceValue, _ text: some StringProtocol, _ name: String
    ) throws -> QueryExpression {
        // LiteCore's own parser writes a dot before the path.
        let hasDot = text.utf8.first == UInt8(ascii: ".")
        let path = try Self.path(text.dropFirst(hasDot ? 1 : 0), of: name)
        let value = try expression(value)
        guard !path.components.isEmpty else {
            if hasDot { return value }
            throw StoreError.invalidQuery("\(name) needs the path of a property")
        }
        guard case .meta(.all, let source) = value, path.components.count == 1,
            case .key(let key) = path.components[0]
        else { return .nested(value, path) }
        guard let meta = MetaProperty(named: key) else {
            throw StoreError.invalidQuery("META() has no property \(key)")
        }
        return .meta(meta, source: source)
    }

    mutating func all(_ values: [FleeceValue]) throws -> [QueryExpression] {
        var expressions: [QueryExpression] = []
        for value in values { expressions.append(try expression(value)) }
        return expressions
    }

    private func requireCount(
        of operands: [FleeceValue], _ counts: ClosedRange<Int>, _ name: String
    ) throws {
        guard counts.contains(operands.count) else {
            throw StoreError.invalidQuery("Wrong number of arguments to \(name)")
        }
    }
}

// Functions.
extension QueryJSONReader {
    private mutating func call(
        _ name: String, _ operands: [FleeceValue]
    ) throws -> QueryExpression {
        switch name.uppercased() {
        case "META":
            try requireCount(of: operands, 0...1, name)
            return .meta(.all, source: operands.first?.string)
        case "MATCH":
            try requireCount(of: operands, 2...2, name)
            return .match(
                index: try index(operands[0]), words: try expression(operands[1]))
        case "RANK":
            try requireCount(of: operands, 1...1, name)
            return .rank(index: try index(operands[0]))
        case "PREDICTION":
            try requireCount(of: operands, 2...3, name)
            let property = try operands.dropFirst(2).first.map { try resultPath($0, name) }
            return .prediction(
                model: try expression(operands[0]), input: try expression(operands[1]),
                property: property)
        default:
            let known = QueryFunction(named: name)
            guard known?.needsWindow != true else {
                throw StoreError.invalidQuery("\(name)() needs the OVER of a CALL")
            }
            // LiteCore takes COUNT() for COUNT(*).
            let isOfRows = known?.name == "count" && operands.isEmpty
            return .function(
                known?.name ?? name.asciiLowercased,
                isOfRows ? [.property(PropertyPath([]))] : try all(operands))
        }
    }

    private func index(_ value: FleeceValue) throws -> String {
        guard let name = value.string, !name.isEmpty else {
            throw StoreError.invalidQuery("the name of an index must be a string")
        }
        return name
    }

    /// `".label"`: a property of a prediction.
    private func resultPath(_ value: FleeceValue, _ name: String) throws -> PropertyPath {
        let text = value.string ?? value.array?.first?.string
        guard let text, text.utf8.first == UInt8(ascii: ".") else {
            throw StoreError.invalidQuery(
                "the property of a prediction begins with a dot: \(Self.text(value))")
        }
        return try Self.path(text.dropFirst(), of: name)
    }

    private mutating func cases(_ operands: [FleeceValue]) throws -> QueryExpression {
        guard operands.count >= 3 else {
            throw StoreError.invalidQuery("Wrong number of arguments to CASE")
        }
        let subject = operands[0].isNull ? nil : try expression(operands[0])
        let rest = operands.dropFirst()
        var branches: [QueryCase] = []
        var next = rest.startIndex
        while next + 1 < rest.endIndex {
            branches.append(
                QueryCase(
                    condition: try expression(rest[next]), value: try expression(rest[next + 1])))
            next += 2
        }
        let otherwise = next < rest.endIndex ? try expression(rest[next]) : nil
        return .cases(subject: subject, branches, otherwise: otherwise)
    }

    private mutating func quantified(
        _ name: String, _ operands: [FleeceValue]
    ) throws -> QueryExpression {
        try requireCount(of: operands, 3...3, name)
        guard let variable = operands[0].string,
            let kind = QueryQuantifier.Kind(rawValue: name.uppercased())
        else {
            throw StoreError.invalidQuery("\(name) needs the name of a variable")
        }
        return .quantified(
            QueryQuantifier(
                kind: kind, variable: variable, collection: try expression(operands[1]),
                condition: try expression(operands[2])))
    }

    private func collation(
        _ value: FleeceValue, in outer: QueryCollation
    ) throws -> QueryCollation {
        guard let options = value.dictionary else {
            throw StoreError.invalidQuery("COLLATE needs a dictionary of options")
        }
        var collation = outer
        for (key, value) in options {
            switch key.uppercased() {
            case "UNICODE": collation.isUnicode = value.bool ?? false
            case "CASE": collation.isCaseSensitive = value.bool ?? true
            case "DIAC": collation.isDiacriticSensitive = value.bool ?? true
            case "LOCALE": collation.locale = value.string ?? ""
            default: throw StoreError.invalidQuery("COLLATE has no option \(key)")
            }
        }
        return collation
    }
}

// Names and paths.
extension QueryJSONReader {
    /// A property, or document metadata: `name.last`, `_id`, `people._id`.
    static func property(_ text: Substring) throws -> QueryExpression {
        .reading(try path(text, of: "a property"))
    }

    /// A path in LiteCore's syntax: it may end with a dot, and a name that begins with `$` needs no
    /// backslash.
    static func path(_ text: some StringProtocol, of name: String) throws -> PropertyPath {
        var text = String(text)
        if text.hasSuffix("."), !text.hasSuffix("\\.") { text.removeLast() }
        if text.isEmpty { return PropertyPath([]) }
        if text.utf8.first == UInt8(ascii: "$"), let next = text.utf8.dropFirst().first,
            next != UInt8(ascii: "."), next != UInt8(ascii: "[")
        {
            text = "\\" + text
        }
        do {
            return try PropertyPath(parsing: text)
        } catch {
            throw StoreError.invalidQuery(
                "\(text) (of \(name)) is not a path: \(error)", underlying: error)
        }
    }

    /// A path given as a list of steps: names, and indexes as arrays of one number.
    private static func path(_ steps: [FleeceValue], _ name: String) throws -> PropertyPath {
        PropertyPath(
            try steps.map { step in
                if let key = step.string { return .key(key) }
                guard let array = step.array, array.count == 1, let index = array[0].int,
                    let index = Int(exactly: index)
                else {
                    throw StoreError.invalidQuery(
                        "a step of a path is a name or [index]: \(text(step))")
                }
                return .index(index)
            })
    }

    private static func parameter(_ name: String) throws -> String {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty else {
            throw StoreError.invalidQuery("Invalid query parameter name '\(name)'")
        }
        return name
    }
}

extension QueryOperator {
    /// The number of operands in the JSON form.
    var operandCounts: ClosedRange<Int> {
        switch self {
        case .concatenate, .multiply, .add, .in, .notIn, .and, .or: 2...Int.max
        case .like: 2...3
        case .between: 3...3
        case .subtract: 1...2
        case .exists, .isValued, .not: 1...1
        default: 2...2
        }
    }
}
