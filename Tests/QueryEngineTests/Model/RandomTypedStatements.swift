import DataFileCore
import FleeceLite
import QueryEngine
import SampleData
import StoreFormat

/// Makes statements at random in which it matters of which type values are, documents with values
/// of all types, and indexes of properties and of functions of them.
struct RandomTypedStatements {
    var random: SeededGenerator
    /// Functions of properties, for indexes and statements.
    private var favourites: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        favourites = (0..<4).map { _ in function(0) }
    }

    private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }
}

// Documents and indexes.
extension RandomTypedStatements {
    private static let values = [
        "true", "false", "0", "1", "-1", "2", "7", "null", "\"1\"", "\"true\"", "\"x\"", "\"\"",
        "\"2018-10-23\"", "1.5", "-0.5", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "18446744073709551615", "9007199254740993", "[]", "[1,true]",
        "{\"k\":true}", "{\"k\":1}", "[\"Bab\"]", "\"Babel\"", "\"/w==\"",
    ]

    private mutating func member(_ name: String, _ value: String) -> [String] {
        chance(15) ? [] : ["\"\(name)\":\(value)"]
    }

    /// Documents as JSON, by their IDs.
    mutating func documents(_ count: Int) -> [(id: String, json: String)] {
        (0..<count).map { number in
            var members = ["\"n\":\(random.below(4))"]
            for name in ["a", "b", "c"] { members += member(name, random.pick(Self.values)) }
            members += member("at", "{\"v\":\(random.pick(Self.values))}")
            let list = (0..<random.below(4)).map { _ in random.pick(Self.values) }
            members += member("list", "[" + list.joined(separator: ",") + "]")
            let parts = (0..<random.below(3)).map { _ in
                "{\"p\":\(random.pick(Self.values)),\"tags\":[\(random.pick(Self.values)),"
                    + "\(random.pick(Self.values))]}"
            }
            members += member("parts", "[" + parts.joined(separator: ",") + "]")
            return ("d\(number)", "{" + members.joined(separator: ",") + "}")
        }
    }

    /// An index under a name.
    mutating func index(_ name: String) -> IndexSpec {
        switch random.below(12) {
        case 0: return .array(name, path: "list")
        case 1: return .array(name, path: "parts[].tags")
        case 2: return .array(name, path: "parts", on: "p")
        case 3: return .array(name, path: "parts", on: random.pick(["type(p)", "lower(p), p"]))
        default: break
        }
        let common = ["ifmissing(a, 0)", "isboolean(a)", "type(b)", "a || b"]
        let first =
            chance(50) ? property() : chance(30) ? random.pick(common) : random.pick(favourites)
        let second = chance(60) ? ", " + (chance(70) ? property() : random.pick(favourites)) : ""
        let conditions = ["b IS VALUED", "isboolean(a)", "n > 1", "type(c) = 'number'"]
        let condition: String? = chance(15) ? random.pick(conditions) : nil
        return .value(name, on: .sqlPlusPlus(first + second), where: condition)
    }
}

// Expressions.
extension RandomTypedStatements {
    private mutating func property() -> String {
        random.pick(["a", "a", "b", "c", "at.v", "n", "list[0]", "at"])
    }

    private mutating func literal() -> String {
        random.pick([
            "TRUE", "FALSE", "0", "1", "-1", "2", "'x'", "'1'", "'true'", "'boolean'", "'number'",
            "NULL", "MISSING", "1.5", "18446744073709551615", "9223372036854775807", "[]",
            "'2018-10-23'", "'day'", "$Boolean", "$large", "$text",
        ])
    }

    /// Functions whose result does not depend on random numbers, the time or other state.
    private static let functions = QueryFunction.all.filter { function in
        let isLarge = [
            "repeat", "range", "rank", "ntile", "regexp", "vector", "distance", "suffixes",
        ].contains { function.name.contains($0) }
        return !function.isAggregate && !function.needsWindow && !function.isVolatile && !isLarge
    }

    private mutating func function(_ depth: Int) -> String {
        let function = random.pick(Self.functions)
        var count = function.arguments.lowerBound
        if count < function.arguments.upperBound, chance(25) { count += 1 }
        let arguments = (0..<count).map { index -> String in
            if index == 0 || chance(40) { return depth > 0 ? value(depth - 1) : property() }
            return constant()
        }
        return "\(function.name)(\(arguments.joined(separator: ", ")))"
    }

    /// A literal that can stand in an index.
    private mutating func constant() -> String {
        var text = literal()
        while text.hasPrefix("$") { text = literal() }
        return text
    }

    private mutating func value(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 16 : 7) {
        case 0, 1, 2: return property()
        case 3: return literal()
        case 4, 5, 6: return random.pick(favourites)
        case 7, 8, 9: return function(depth)
        case 10: return "[\(value(depth - 1)), \(value(depth - 1))]"
        case 11: return "{'k': \(value(depth - 1))}"
        case 12:
            return "CASE WHEN \(condition(depth - 1)) THEN \(value(depth - 1)) "
                + "ELSE \(value(depth - 1)) END"
        case 13: return "(\(condition(depth - 1)))"
        case 14:
            let sign = random.pick(["+", "-", "*", "%", "||"])
            return "(\(value(depth - 1)) \(sign) \(value(depth - 1)))"
        default: return "({'k': \(value(depth - 1))}).k"
        }
    }

    private mutating func condition(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 17 : 10) {
        case 0, 1, 2: return "\(value(depth)) = \(chance(70) ? literal() : value(depth))"
        case 3: return "\(value(depth)) \(random.pick(["<", ">=", "!="])) \(literal())"
        case 4: return value(depth)
        case 5: return "\(value(depth)) IN (\(literal()), \(literal()))"
        case 6: return "\(value(depth)) IN \(random.pick(["$list", "[TRUE, 2]"]))"
        case 7: return "\(value(depth)) IS \(random.pick(["VALUED", "MISSING", "NOT NULL"]))"
        case 8: return "\(value(depth)) LIKE \(random.pick(["'B%'", "'x'", "'%1'", "'Bab%'"]))"
        case 9: return "\(value(depth)) BETWEEN \(literal()) AND \(literal())"
        case 10, 11, 12: return "(\(condition(depth - 1)) AND \(condition(depth - 1)))"
        case 13: return "(\(condition(depth - 1)) OR \(condition(depth - 1)))"
        case 14: return "NOT \(condition(depth - 1))"
        case 15: return elements(depth - 1)
        default: return "isboolean(\(value(depth - 1)))"
        }
    }

    /// A condition of elements.
    private mutating func elements(_ depth: Int) -> String {
        let kind = random.pick(["ANY", "ANY", "EVERY", "ANY AND EVERY"])
        switch random.below(4) {
        case 0:
            let list = chance(60) ? "list" : value(depth)
            let test = random.pick(["x", "type(x)", "lower(x)", "isboolean(x)"])
            return "\(kind) x IN \(list) SATISFIES \(test) = \(literal()) END"
        case 1:
            let test = random.pick(["x.p", "type(x.p)", "lower(x.p)"])
            return "\(kind) x IN parts SATISFIES \(test) = \(literal()) END"
        case 2:
            let inner = "ANY y IN x.tags SATISFIES y \(random.pick(["=", "<"])) \(literal()) END"
            return "\(kind) x IN parts SATISFIES \(inner) END"
        default: return "\(kind) x IN list SATISFIES x = \(value(depth)) END"
        }
    }
}

// Statements.
extension RandomTypedStatements {
    private mutating func filter() -> String {
        switch random.below(4) {
        case 0: return ""
        case 1: return " WHERE \(condition(2))"
        default:
            return " WHERE \(random.pick(["b", "n", "a", "c"])) = \(literal()) AND \(condition(2))"
        }
    }

    /// A statement that asks; its rows are the same in any order.
    mutating func question() -> String {
        switch random.below(16) {
        case 12:
            return "SELECT META(d).id AS x, ifmissing(o.a, 0) AS y, isboolean(o.a) AS z, o.b "
                + "FROM _ AS d LEFT JOIN _ AS o ON o.a = d.b WHERE d.n = 1 "
                + "AND ifmissing(o.a, 0) \(random.pick(["=", ">="])) \(literal())"
        case 10: return "SELECT array_agg(\(value(1))) AS x FROM _" + filter()
        case 11:
            return "SELECT n, array_agg(\(value(1))) AS x FROM _" + filter() + " GROUP BY n"
        case 0: return "SELECT DISTINCT \(value(1)) AS x FROM _" + filter()
        case 1:
            let key = value(1)
            return "SELECT \(key) AS x, COUNT(*) AS n FROM _" + filter() + " GROUP BY \(key)"
        case 2: return "SELECT COUNT(*) AS n, COUNT(DISTINCT \(value(1))) AS m FROM _" + filter()
        case 3:
            let test = random.pick(["x", "type(x)", "lower(x)", "isboolean(x)"])
            return "SELECT x, type(x) AS t FROM _ AS d UNNEST d.list AS x "
                + "WHERE \(test) = \(literal())"
        case 4:
            let test = random.pick(["x.p", "type(x.p)", "lower(x.p)"])
            return "SELECT x.p, \(test) AS t FROM _ AS d UNNEST d.parts AS x "
                + "WHERE \(test) = \(literal())"
        case 5:
            let order = random.pick(["=", "<", ">"])
            return "SELECT y, [y] AS l FROM _ AS d UNNEST d.parts AS x UNNEST x.tags AS y "
                + "WHERE y \(order) \(literal())"
        case 6:
            return "SELECT d.a AS x, [o.a] AS y FROM _ AS d JOIN _ AS o ON o.a = d.b "
                + "WHERE type(o.a) = type(d.b)"
        case 7:
            return "SELECT META(d).id AS x, (SELECT MAX(o.n) FROM _ AS o WHERE o.a = d.a "
                + "AND type(o.a) = type(d.a)) AS y FROM _ AS d"
        case 8:
            return "SELECT w AS x, [w] AS y FROM _ LET w = \(value(1))" + filter()
                + " ORDER BY \(value(1))"
        case 9: return "SELECT \(value(2)) AS x FROM _" + filter() + " ORDER BY \(value(1))"
        default: return "SELECT \(value(2)) AS x, \(value(1)) AS y FROM _" + filter()
        }
    }

    /// A statement that changes documents.
    mutating func change() -> String {
        chance(50)
            ? "DELETE FROM _" + filter()
            : "UPDATE _ SET r = \(value(2)), s.t = \(value(1))" + filter()
    }

    /// What the parameters are.
    static let parameters: QueryParameters = [
        "Boolean": .boolean(true), "large": .unsigned(.max), "text": .string("x"),
        "list": .array(list),
    ]

    private static let list: FleeceArray = {
        let json = "[true, 2, \"x\", null, [1,true], 1.8446744073709552e19]"
        guard case .array(let array)? = try? QueryValue(json: json) else {
            preconditionFailure("the list of the parameters cannot be read")
        }
        return array
    }()
}
