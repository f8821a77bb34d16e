internal import FleeceLite
internal import StoreFormat

extension SQLExpressionWriter {
    mutating func operation(
        _ known: QueryOperator, _ operands: [QueryExpression]
    ) throws {
        let outer = comparesCollections
        comparesCollections = known.isComparison && mayCompareCollections(operands)
        defer { comparesCollections = outer }
        switch known {
        case .concatenate: try call("concat", concatenated(operands))
        case .not: try not(operands[0])
        case .exists: try exists(operands[0])
        case .isValued:
            try operation(3) { writer in
                try writer.function("isvalued", operands)
            }
        case .in, .notIn: try membership(operands, isNegated: known == .notIn)
        case .like: try like(operands)
        case .between: try between(operands)
        case .is, .isNot: try identity(operands, isNegated: known == .isNot)
        case .isDistinctFrom, .isNotDistinctFrom:
            try infix(known == .isDistinctFrom ? .isNot : .is, operands)
        case .divide where isOfQuery: try quotient(operands)
        case .subtract where operands.count == 1: try negative(operands[0])
        default: try infix(known, operands)
        }
    }

    /// Writes operators between their operands.
    private mutating func infix(
        _ known: QueryOperator, _ operands: [QueryExpression]
    ) throws {
        try operation(known.sqlPrecedence) { writer in
            for (index, operand) in operands.enumerated() {
                if index > 0 { writer.sql += " \(known.rawValue) " }
                let isChained = index == 0 ? known.isChain : known.isChainOfBooleans
                if isChained, writer.isFree, case .operation(let other, _) = operand,
                    other == known || index == 0 && other.isChain(with: known)
                {
                    try writer.within(known.sqlPrecedence - 1) {
                        try $0.operand(operand, isCollated: false)
                    }
                } else {
                    try writer.operand(operand, isCollated: index == 0 && known.isComparison)
                }
            }
        }
    }

    /// Whether it may differ from LiteCore's text, because it cannot be part of an index.
    var isFree: Bool { isOfQuery && !isTextOfIndex && !isVerbatim }

    /// The operands of a chain of `||`, which becomes one call: 30 nested calls fill the stack of
    /// SQLite's parser.
    private func concatenated(_ operands: [QueryExpression]) -> [QueryExpression] {
        guard isFree else { return operands }
        var chain = operands
        while case .operation(.concatenate, let first) = chain[0],
            chain.count + first.count <= Self.mostArguments
        {
            chain.replaceSubrange(0..<1, with: first)
        }
        return chain.count > Self.longestNest ? chain : operands
    }

    private static let mostArguments = 100
    /// A shorter one is written as it could be in an index.
    private static let longestNest = 8

    private var isOfQuery: Bool {
        if case .scope = source { true } else { false }
    }

    /// SQL's own operator truncates integer division. In an index it must be used, since the text
    /// of an index is LiteCore's.
    private mutating func quotient(_ operands: [QueryExpression]) throws {
        let rest = operands.dropFirst()
        guard rest.count == 1 else {
            let first = QueryExpression.operation(.divide, Array(operands.dropLast()))
            return try call("div", [first] + operands.suffix(1))
        }
        try call("div", operands)
    }

    /// Writes an operand; the first operand of a comparison determines the collation.
    mutating func operand(
        _ operand: QueryExpression, isCollated: Bool
    ) throws {
        let order = isCollated ? takeCollation() : nil
        let outer = wantsForm
        wantsForm = comparesCollections && operand.isLocation
        defer { wantsForm = outer }
        try typed(false) { try $0.write(operand) }
        if let order { sql += order.sqlSuffix }
    }

    /// Whether at least two of the values can be collections.
    private func mayCompareCollections(_ operands: [QueryExpression]) -> Bool {
        var count = 0
        for operand in operands {
            if case .array(let elements) = operand {
                count += elements.count { mayBeCollection($0) }
            } else if mayBeCollection(operand) {
                count += 1
            }
        }
        return count > 1
    }

    private func mayBeCollection(_ value: QueryExpression) -> Bool {
        switch value {
        case .literal: false
        case .parameter(let name):
            if case .scope(let scope) = source {
                scope.translation.options.parameters[name] == nil
                    && !scope.translation.options.plainParameters.contains(name)
            } else {
                true
            }
        case .collate(_, let value): mayBeCollection(value)
        default: value.resultType == .any
        }
    }

    /// Returns the collation of the next comparison, and resets it.
    mutating func takeCollation() -> QueryCollation? {
        defer { collation = nil }
        return collation
    }

    /// The operand is in parentheses, and so is the whole where SQL would extend it to what
    /// follows.
    private mutating func not(_ operand: QueryExpression) throws {
        let needsParentheses = precedence > 2
        if needsParentheses { sql += "(" }
        sql += "NOT "
        try typed(false) { writer in try writer.within(9) { try $0.write(operand) } }
        if needsParentheses { sql += ")" }
    }

    private mutating func negative(_ operand: QueryExpression) throws {
        let before = sql
        sql = ""
        try within(9) { try $0.write(operand) }
        // Two minus signs would begin a comment.
        let isSigned = sql.utf8.first == UInt8(ascii: "-")
        sql = before + (isSigned ? "-(\(sql))" : "-" + sql)
    }

    private mutating func exists(_ operand: QueryExpression) throws {
        if case .property(let path) = operand, !path.components.isEmpty {
            return try accessor("fl_exists", path)
        }
        if case .subquery(let query) = operand {
            return try operation(8) { try $0.existence(query) }
        }
        try operation(8) { writer in
            writer.sql += "EXISTS "
            try writer.write(operand)
        }
    }

    /// `IN` with a list, or with the array that an expression returns.
    private mutating func membership(
        _ operands: [QueryExpression], isNegated: Bool
    ) throws {
        guard operands.count == 2 else {
            return try membership(operands[0], Array(operands.dropFirst()), isNegated)
        }
        if case .array(let elements) = operands[1] {
            return try membership(operands[0], elements, isNegated)
        }
        if isOfQuery, try membershipInRows(operands[0], operands[1], isNegated) { return }
        let contains = QueryExpression.function("array_contains", [operands[1], operands[0]])
        try isNegated ? not(contains) : write(contains)
    }

    private mutating func membership(
        _ value: QueryExpression, _ others: [QueryExpression], _ isNegated: Bool
    ) throws {
        try operation(3) { writer in
            try writer.operand(value, isCollated: true)
            writer.sql += isNegated ? " NOT IN (" : " IN ("
            for (index, other) in others.enumerated() {
                if index > 0 { writer.sql += ", " }
                try writer.within(0) { try $0.operand(other, isCollated: false) }
            }
            writer.sql += ")"
        }
    }

    /// SQL's own operator is case-sensitive; with other collations it is a function.
    private mutating func like(_ operands: [QueryExpression]) throws {
        if let order = collation, order.isUnicode || !order.isCaseSensitive {
            collation = nil
            guard operands.count == 2 || operands[2] == .string("\\") else {
                throw StoreError.invalidQuery(
                    "LIKE with this collation accepts only ESCAPE '\\'")
            }
            return try call("fl_like", Array(operands.prefix(2)) + [.string(order.sqlName)])
        }
        guard isFree, operands[0].isProperty, PrefixSearch.bounds(operands) != nil else {
            return try likeOfSQL(operands)
        }
        // SQL would compare the bytes of an array as a string, which an index sorts differently.
        try operation(2) { writer in
            try writer.likeOfSQL(operands)
            writer.sql += " AND typeof("
            try writer.typed(false) { writer in try writer.within(0) { try $0.write(operands[0]) } }
            writer.sql += ") <> 'blob'"
        }
    }

    private mutating func likeOfSQL(_ operands: [QueryExpression]) throws {
        try operation(3) { writer in
            try writer.operand(operands[0], isCollated: true)
            writer.sql += " LIKE "
            try writer.operand(operands[1], isCollated: false)
            writer.sql += " ESCAPE "
            try writer.within(10) { try $0.write(operands.count > 2 ? operands[2] : .string("\\")) }
        }
    }

    private mutating func between(_ operands: [QueryExpression]) throws {
        try operation(3) { writer in
            try writer.operand(operands[0], isCollated: true)
            writer.sql += " BETWEEN "
            try writer.operand(operands[1], isCollated: false)
            writer.sql += " AND "
            try writer.operand(operands[2], isCollated: false)
        }
    }

    /// Missing is SQL's `NULL`; JSON's null is a value that equals another null.
    private mutating func identity(
        _ operands: [QueryExpression], isNegated: Bool
    ) throws {
        if operands[1] == .literal(.null) {
            return try infix(isNegated ? .notEqual : .equal, operands)
        }
        try operation(3) { writer in
            try writer.operand(operands[0], isCollated: true)
            writer.sql += isNegated ? " IS NOT " : " IS "
            try writer.operand(operands[1], isCollated: false)
        }
    }
}

// Constructs that are not SQL operators.
extension SQLExpressionWriter {
    mutating func collate(_ order: QueryCollation, _ value: QueryExpression) throws {
        let outer = collation
        collation = order
        defer { collation = outer }
        // A comparison keeps its precedence among the enclosing operators.
        try within(value.isComparison ? precedence : 10) { try $0.write(value) }
        if collation != nil { sql += order.sqlSuffix }
    }

    mutating func cases(
        _ subject: QueryExpression?, _ branches: [QueryCase], _ otherwise: QueryExpression?
    ) throws {
        sql += "CASE"
        try within(0) { writer in
            if let subject {
                writer.sql += " "
                try writer.operand(subject, isCollated: false)
            }
            for branch in branches {
                writer.sql += " WHEN "
                try writer.operand(branch.condition, isCollated: false)
                writer.sql += " THEN "
                try writer.write(branch.value)
            }
            writer.sql += " ELSE "
            try writer.write(otherwise ?? .literal(.null))
        }
        sql += " END"
    }
}

extension QueryOperator {
    /// Its precedence, by LiteCore's numbers, since parentheses are part of the text of an index.
    var sqlPrecedence: Int {
        switch self {
        case .multiply, .divide, .modulo: 7
        case .add, .subtract: 6
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 4
        case .and, .or: 2
        case .exists: 8
        case .not: 9
        default: 3
        }
    }

    /// Whether a chain of it, from the left, needs no parentheses.
    fileprivate var isChain: Bool {
        switch self {
        case .and, .or, .add, .subtract, .multiply, .modulo: true
        default: false
        }
    }

    /// Whether SQL associates it with another operator from the left.
    fileprivate func isChain(with other: QueryOperator) -> Bool {
        switch (self, other) {
        case (.add, .subtract), (.subtract, .add), (.multiply, .modulo), (.modulo, .multiply): true
        default: false
        }
    }

    /// Whether the grouping of a chain's operands does not matter.
    fileprivate var isChainOfBooleans: Bool { self == .and || self == .or }

    /// Whether the collation affects it.
    package var isComparison: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .is, .isNot, .in,
            .notIn, .like, .between, .isDistinctFrom, .isNotDistinctFrom:
            true
        default: false
        }
    }
}

extension QueryExpression {
    /// Whether it only accesses a value.
    fileprivate var isLocation: Bool {
        switch self {
        case .property, .variable: true
        case .collate(_, let value), .nested(let value, _): value.isLocation
        default: false
        }
    }

    /// Whether it compares strings.
    var isComparison: Bool {
        if case .operation(let known, _) = self { known.isComparison } else { false }
    }
}

extension QueryCollation {
    /// The `COLLATE` suffix of a compared value.
    var sqlSuffix: String { " COLLATE " + sqlName.sqlIdentifier }

    /// Its name in SQL, as in LiteCore: `NOCASE`, `LCUnicode_CD_se`.
    var sqlName: String {
        guard isUnicode else { return isCaseSensitive ? "BINARY" : "NOCASE" }
        return "LCUnicode_" + (isCaseSensitive ? "_" : "C") + (isDiacriticSensitive ? "_" : "D")
            + "_" + locale
    }
}
