internal import FleeceLite
internal import StoreFormat

extension SQLPPParser {
    /// Reads a function call, or an expression that is written like one.
    mutating func parseCall() throws -> QueryExpression {
        guard let name = word else { throw unexpected("a function") }
        // Without an argument `rank()` is a window function.
        let isRanking = name == "rank" && kind(after: 2) == .symbol(.rightParenthesis)
        guard name == "exists" || QueryFunction.specialForms.contains(name) && !isRanking else {
            return try parseFunction(name)
        }
        advance()
        advance()
        return try parseSpecial(name)
    }

    private mutating func parseFunction(_ name: String) throws -> QueryExpression {
        guard let function = QueryFunction(named: name) else {
            let nearest = QueryFunction.nearest(to: name).map { ", such as \($0)()" } ?? ""
            throw error(
                found: "the unknown function \(name)()", expected: "an SQL++ function\(nearest)")
        }
        let token = position
        advance()
        advance()
        var call = QueryCall(function: function.name, arguments: [])
        if function.isAggregate { call.isDistinct = skip(.distinct) }
        call.arguments = try parseList(to: .rightParenthesis)
        // LiteCore takes COUNT() for COUNT(*).
        if function.name == "count", call.arguments.isEmpty, !call.isDistinct {
            call.arguments = [.property(PropertyPath([]))]
        }
        guard function.arguments.contains(call.arguments.count) else {
            throw error(
                found: "\(name)() with \(Self.count(call.arguments.count))",
                expected: function.argumentCountText, at: token)
        }
        try parseCallSuffixes(of: function, &call)
        guard !function.needsWindow || call.window != nil else {
            throw error(
                found: "\(name)() without OVER",
                expected: "OVER (…) after a window function", at: token)
        }
        return call.isPlain ? .function(function.name, call.arguments) : .call(call)
    }

    private static func count(_ count: Int) -> String {
        count == 1 ? "1 argument" : "\(count) arguments"
    }

    /// Reads the arguments of an expression that looks like a function call.
    private mutating func parseSpecial(_ name: String) throws -> QueryExpression {
        switch name {
        case "meta": return try parseMeta()
        case "match": return try parseMatch()
        case "prediction": return try parsePrediction()
        case "rank":
            growLeaf()
            let index = try parseDottedName("the name of a full-text index")
            try expect(.rightParenthesis)
            return .rank(index: index)
        case "blob":
            growLeaf()
            let path = try parsePath()
            try expect(.rightParenthesis)
            return .blob(path)
        default:
            let operand = try parseEnclosed()
            try grow(on: height)
            return .operation(.exists, [operand])
        }
    }

    /// A name, or a source name followed by the name of its index.
    private mutating func parseDottedName(_ expected: String) throws -> String {
        var name = try parseName(expected)
        while skip(.dot) { name += "." + (try parseName("a name")) }
        return name
    }

    /// `META([source])`, and the property if there is one.
    private mutating func parseMeta() throws -> QueryExpression {
        growLeaf()
        var source: String?
        if !skip(.rightParenthesis) {
            let token = position
            let name = try parseDottedName("the name of a source or ')'")
            metaNames.append((name, token))
            source = name
            try expect(.rightParenthesis)
        }
        guard kind == .symbol(.dot) else { return .meta(.all, source: source) }
        advance()
        guard let property = name.flatMap({ MetaProperty(named: $0) }) else {
            let known = MetaProperty.allCases.filter { $0 != .all }
            throw unexpected(known.map(\.rawValue).joined(separator: ", "))
        }
        advance()
        return .meta(property, source: source)
    }

    /// `MATCH(index, words)`
    private mutating func parseMatch() throws -> QueryExpression {
        let index = try parseDottedName("the name of a full-text index")
        try expect(.comma)
        let words = try parseExpression()
        try expect(.rightParenthesis, or: "an operator or ")
        try grow(on: height)
        return .match(index: index, words: words)
    }

    /// `PREDICTION(model, input [, .property])`; the model and the property are names or strings.
    private mutating func parsePrediction() throws -> QueryExpression {
        let model = try parseModel()
        let modelHeight = height
        try expect(.comma, or: "an operator or ")
        let input = try parseExpression()
        try grow(on: max(modelHeight, height))
        let treeHeight = height
        var property: PropertyPath?
        if skip(.comma) { property = try parsePredictedProperty() }
        try expect(.rightParenthesis, or: property == nil ? "an operator, ',' or " : "")
        try grow(on: treeHeight - 1)
        return .prediction(model: model, input: input, property: property)
    }

    /// A name is that of the model, as in LiteCore; a property that contains the model name must be
    /// in parentheses.
    private mutating func parseModel() throws -> QueryExpression {
        guard let name, kind(after: 1) == .symbol(.comma) else { return try parseExpression() }
        advance()
        growLeaf()
        return .string(name)
    }

    private mutating func parsePredictedProperty() throws -> PropertyPath {
        if kind == .symbol(.dot) { return try parseSteps([]) }
        guard kind == .string else { return try parsePath() }
        guard let path = try? PropertyPath(parsing: unquoted, syntax: .lenient) else {
            throw unexpected("the path of a property")
        }
        advance()
        return path
    }
}
