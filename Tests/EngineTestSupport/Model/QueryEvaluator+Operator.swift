internal import Foundation
internal import FleeceLite
internal import QueryLanguage

extension QueryEvaluator {
    func operation(
        _ known: QueryOperator, _ operands: [QueryExpression], _ scope: ModelScope,
        _ outer: ModelOrder?
    ) throws -> ModelValue {
        switch known {
        case .and, .or: return try logic(known, operands, scope)
        case .not: return ModelValue(try bool(operands[0], scope).map { !$0 })
        case .exists: return .boolean(try exists(operands[0], scope))
        case .in, .notIn:
            let isIn = try membership(operands, scope, outer)
            return known == .in ? isIn : ModelValue(isIn.bool.map { !$0 })
        default: break
        }
        let values = try operands.map { try value($0, scope) }
        if known.isOrdered {
            let order = try outer ?? explicitOrder(operands[0]) ?? explicitOrder(operands[1])
            return try comparison(known, operands, values, order ?? .binary)
        }
        return try calculation(known, values)
    }

    private func calculation(
        _ known: QueryOperator, _ values: [ModelValue]
    ) throws -> ModelValue {
        switch known {
        case .isValued: return .boolean(values[0].isValued)
        case .concatenate: return try concatenated(values)
        case .multiply: return values.dropFirst().reduce(values[0]) { .product($0, $1) }
        case .add: return values.dropFirst().reduce(values[0]) { .sum($0, $1) }
        case .subtract where values.count == 1: return .difference(.integer(0), values[0])
        case .subtract: return .difference(values[0], values[1])
        case .divide: return .quotient(values[0], values[1])
        case .modulo: return .remainder(values[0], values[1])
        default: throw ModelError.unsupported("\(known)")
        }
    }

    /// Logic with MISSING: false AND it is false, true OR it is true, all else is MISSING.
    private func logic(
        _ known: QueryOperator, _ operands: [QueryExpression], _ scope: ModelScope
    ) throws -> ModelValue {
        let truths = try operands.map { try bool($0, scope) }
        let decisive = known == .or
        if truths.contains(decisive) { return .boolean(decisive) }
        return truths.contains(nil) ? .missing : .boolean(!decisive)
    }

    private func comparison(
        _ known: QueryOperator, _ operands: [QueryExpression], _ values: [ModelValue],
        _ order: ModelOrder
    ) throws -> ModelValue {
        let (one, other) = (values[0], values[1])
        switch known {
        case .equal: return ModelValue(equals(one, other, order))
        case .notEqual: return ModelValue(equals(one, other, order).map { !$0 })
        case .less: return ModelValue(ordered(one, other, order).map { $0 < 0 })
        case .lessOrEqual: return ModelValue(ordered(one, other, order).map { $0 <= 0 })
        case .greater: return ModelValue(ordered(one, other, order).map { $0 > 0 })
        case .greaterOrEqual: return ModelValue(ordered(one, other, order).map { $0 >= 0 })
        case .between:
            let isAbove = ordered(one, other, order).map { $0 >= 0 }
            let isBelow = ordered(one, values[2], order).map { $0 <= 0 }
            if isAbove == false || isBelow == false { return .boolean(false) }
            return isAbove == nil || isBelow == nil ? .missing : .boolean(true)
        case .is, .isNot:
            let isNot = known == .isNot
            if operands[1] == .literal(.null) {
                return ModelValue(equals(one, other, order).map { $0 != isNot })
            }
            return .boolean(same(one, other, order) != isNot)
        case .isDistinctFrom: return .boolean(!same(one, other, order))
        case .isNotDistinctFrom: return .boolean(same(one, other, order))
        case .like: return try like(one, other, order)
        default: throw ModelError.unsupported("\(known)")
        }
    }

    private func ordered(
        _ one: ModelValue, _ other: ModelValue, _ order: ModelOrder
    ) -> Int? {
        one.isMissing || other.isMissing ? nil : compare(one, other, order)
    }

    /// Whether values are the same, where MISSING is the same as MISSING.
    private func same(_ one: ModelValue, _ other: ModelValue, _ order: ModelOrder) -> Bool {
        equals(one, other, order) ?? (one.isMissing && other.isMissing)
    }

    private func exists(_ operand: QueryExpression, _ scope: ModelScope) throws -> Bool {
        switch operand {
        case .subquery(let select): return try !rows(of: select, scope).kept.isEmpty
        case .property: return try !value(operand, scope).isMissing
        default: throw ModelError.unsupported("EXISTS of a value")
        }
    }

    private func membership(
        _ operands: [QueryExpression], _ scope: ModelScope, _ outer: ModelOrder?
    ) throws -> ModelValue {
        let target = try value(operands[0], scope)
        let order = try outer ?? explicitOrder(operands[0]) ?? .binary
        var others: [ModelValue] = []
        if operands.count == 2 {
            switch operands[1] {
            case .array(let elements): others = try elements.map { try value($0, scope) }
            case .subquery(let select):
                let result = try rows(of: select, scope)
                if !result.isDetermined { notes.isUndetermined = true }
                others = result.kept.map { $0[0] }
            default: return arrayContains(try value(operands[1], scope), target)
            }
        } else {
            others = try operands.dropFirst().map { try value($0, scope) }
        }
        let answers = others.map { equals(target, $0, order) }
        if answers.contains(true) { return .boolean(true) }
        return answers.contains(nil) ? .missing : .boolean(false)
    }
}

// Strings.
extension QueryEvaluator {
    /// SQL's own operator converts numbers to text, and is never true of a blob; with another
    /// collation it is a function, which requires strings.
    private func like(
        _ value: ModelValue, _ pattern: ModelValue, _ order: ModelOrder
    ) throws -> ModelValue {
        if order != .binary {
            if value.isMissing || pattern.isMissing { return .missing }
            guard case .text(let text) = value, case .text(let target) = pattern else {
                return .null
            }
            return .boolean(Self.isLike(text, target, order))
        }
        if value.rank == 3 || pattern.rank == 3 { return .boolean(false) }
        if value.isMissing || pattern.isMissing { return .missing }
        let (text, target) = (try sqlText(value), try sqlText(pattern))
        return .boolean(Self.isLike(text, target, order))
    }

    static func isLike(_ text: ModelString, _ pattern: ModelString, _ order: ModelOrder) -> Bool {
        func scalars(_ text: ModelString) -> [Unicode.Scalar] {
            Array(String(decoding: order.folded(text.utf8), as: UTF8.self).unicodeScalars)
        }
        return isLike(scalars(text)[...], scalars(pattern)[...])
    }

    private static func isLike(
        _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "%":
            return isLike(text, rest) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
        case "_": return !text.isEmpty && isLike(text.dropFirst(), rest)
        case "\\" where !rest.isEmpty:
            return text.first == rest.first && isLike(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && isLike(text.dropFirst(), rest)
        }
    }

    /// The text that SQL converts a value to if it requires a string.
    func sqlText(_ value: ModelValue) throws -> ModelString {
        switch value {
        case .text(let text): return text
        case .real(let number):
            guard number == number.rounded(), number.magnitude < 1e15 else {
                // SQLite writes 15 significant digits.
                let digits = String(format: "%.15g", number)
                guard !digits.contains("e") else {
                    throw ModelError.unsupported("the text of \(number)")
                }
                return ModelString(digits)
            }
            return ModelString("\(Int64(number)).0")
        default:
            guard case .integer(let number) = value.plainNumber else {
                throw ModelError.unsupported("the text of \(value)")
            }
            return ModelString("\(number)")
        }
    }

    /// The concatenation of strings; other values are converted to JSON.
    func concatenated(_ values: [ModelValue]) throws -> ModelValue {
        if values.contains(.missing) { return .missing }
        var bytes: [UInt8] = []
        for value in values {
            switch value {
            case .text(let text): bytes += text.utf8
            case .integer, .real: bytes += try sqlText(value).utf8
            case .array, .object:
                guard !value.hasReal else { throw ModelError.unsupported("JSON of numbers") }
                bytes += value.json(isSigned: false).utf8
            default: bytes += value.json(isSigned: false).utf8
            }
        }
        return .text(ModelString(String(decoding: bytes, as: UTF8.self)))
    }
}

extension ModelValue {
    /// Whether it contains a floating-point number, which can be written in several ways.
    fileprivate var hasReal: Bool {
        switch self {
        case .real: true
        case .array(let values): values.contains(where: \.hasReal)
        case .object(let members): members.values.contains(where: \.hasReal)
        default: false
        }
    }
}
