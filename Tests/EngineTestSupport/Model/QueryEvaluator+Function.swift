internal import FleeceLite
internal import QueryLanguage

// Scalar functions.
extension QueryEvaluator {
    func function(
        _ name: String, _ values: [ModelValue], _ arguments: [QueryExpression]
    ) throws -> ModelValue {
        switch name {
        case "concat": return try concatenated(values)
        case "greatest", "least":
            return values.contains(.missing)
                ? .missing
                // Of equal values the first is the greatest in SQLite, and the last the least.
                : extreme(
                    name == "least" ? values.reversed() : values, isMost: name == "greatest")
        case "ifmissing": return values.first { !$0.isMissing } ?? .missing
        case "ifnull": return values.first { $0 != .null } ?? .null
        case "ifmissingornull": return values.first(where: \.isValued) ?? .null
        case "missingif", "nullif": return unless(values[0], values[1], isNull: name == "nullif")
        case "isvalued": return .boolean(values[0].isValued)
        case "array_contains": return arrayContains(values[0], values[1])
        case "array_count":
            return try count(values[0], of: arguments[0])
        case "tostring" where values[0].isValued: return try text(values[0])
        default: break
        }
        if let function = Self.ofArrays[name] { return function(values[0]) }
        if values.contains(.missing) { return .missing }
        if let function = Self.ofNumbers[name] {
            let numbers = values.compactMap(\.mathsNumber)
            return numbers.count == values.count ? ModelValue(function(numbers)) : .null
        }
        if let function = Self.ofTexts[name] {
            return try function(values) ?? .null
        }
        if let function = Self.ofValues[name] {
            return values[0] == .null ? .null : function(values[0])
        }
        throw ModelError.unsupported("\(name)()")
    }

    /// The number of elements that are not null, or of entries of a dictionary; if the expression
    /// is not a property, only arrays are counted.
    func count(_ value: ModelValue, of expression: QueryExpression) throws -> ModelValue {
        guard case .property = expression else {
            return .integer(Int64(value.elements?.filter(\.isValued).count ?? 0))
        }
        switch value {
        case .array(let values): return .integer(Int64(values.filter(\.isValued).count))
        case .object(let members): return .integer(Int64(members.count))
        default: return .missing
        }
    }

    private func unless(_ value: ModelValue, _ other: ModelValue, isNull: Bool) -> ModelValue {
        if isNull, value.isMissing { return .missing }
        if value.canonical == other.canonical { return isNull ? .null : .missing }
        if other.isMissing { return .missing }
        return other == .null ? .null : value
    }

    private func text(_ value: ModelValue) throws -> ModelValue {
        switch value {
        case .boolean(let bool): .text("\(bool)")
        case .unsigned(let number): .text("\(number)")
        case .integer, .real: .text(try sqlText(value))
        case .text: value
        default: .null
        }
    }
}

extension ModelValue {
    fileprivate init(_ number: Double) {
        self = number.isNaN ? .null : .real(number)
    }
}

extension QueryEvaluator {
    private static let ofNumbers: [String: @Sendable ([Double]) -> Double] = [
        "abs": { $0[0].magnitude }, "ceil": { $0[0].rounded(.up) },
        "floor": { $0[0].rounded(.down) },
        "round": { rounded($0, .toNearestOrAwayFromZero) },
        "trunc": { rounded($0, .towardZero) },
        "sign": { $0[0] > 0 ? 1 : ($0[0] < 0 ? -1 : 0) }, "sqrt": { $0[0].squareRoot() },
        "div": { $0[1] == 0 ? .nan : $0[0] / $0[1] },
    ]

    private static func rounded(
        _ numbers: [Double], _ rule: FloatingPointRoundingRule
    ) -> Double {
        let scale = numbers.count == 2 && numbers[1] == 1 ? 10.0 : 1
        return (numbers[0] * scale).rounded(rule) / scale
    }

    /// Functions whose arguments are not MISSING.
    private static let ofTexts: [String: @Sendable ([ModelValue]) throws -> ModelValue?] = [
        "length": { $0[0].string.map { .integer(Int64($0.unicodeScalars.count)) } },
        "lower": { $0[0].string.map { .text($0.lowercased()) } },
        "upper": { $0[0].string.map { .text($0.uppercased()) } },
        "trim": { $0[0].string.map { .text(trimmed($0, true, true)) } },
        "ltrim": { $0[0].string.map { .text(trimmed($0, true, false)) } },
        "rtrim": { $0[0].string.map { .text(trimmed($0, false, true)) } },
        "reverse": { values in
            values[0].string.map { text in
                var reversed = String.UnicodeScalarView()
                for scalar in text.unicodeScalars.reversed() { reversed.append(scalar) }
                return .text(String(reversed))
            }
        },
        "contains": { values in
            if values.contains(.null) { return .null }
            guard let text = values[0].part, let part = values[1].part else {
                return .boolean(false)
            }
            return .boolean(!part.isEmpty && position(of: part, in: text) != nil)
        },
        "position": { values in
            guard let text = values[0].string, let part = values[1].string else { return nil }
            return .integer(Int64(position(of: part, in: text) ?? -1))
        },
        "substr": { substring($0) }, "replace": { replaced($0) },
    ]

    private static func trimmed(_ text: String, _ atStart: Bool, _ atEnd: Bool) -> String {
        var scalars = Array(text.unicodeScalars)
        while atStart, scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while atEnd, scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The position of a string in another, in code points.
    private static func position(of part: String, in text: String) -> Int? {
        let (part, text) = (Array(part.unicodeScalars), Array(text.unicodeScalars))
        guard part.count <= text.count else { return nil }
        return (0...(text.count - part.count)).first { text[$0..<($0 + part.count)] == part[...] }
    }

    private static func substring(_ values: [ModelValue]) -> ModelValue? {
        guard let text = values[0].string, let from = values[1].number?.whole,
            values[1].double != nil
        else { return nil }
        let scalars = Array(text.unicodeScalars)
        let start = from < 0 ? Int(from) + scalars.count : Int(from)
        guard scalars.indices.contains(start) else { return nil }
        var part = scalars[start...]
        if values.count == 3 {
            guard values[2].double != nil, let length = values[2].number?.whole, length >= 0 else {
                return nil
            }
            part = part.prefix(Int(length))
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: part)
        return .text(String(view))
    }

    private static func replaced(_ values: [ModelValue]) -> ModelValue? {
        guard case .text(let text) = values[0], case .text(let old) = values[1],
            case .text(let new) = values[2]
        else { return nil }
        if old.utf8.isEmpty { return values[0] }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.first {
            if rest.starts(with: old.utf8) {
                bytes += new.utf8
                rest = rest.dropFirst(old.utf8.count)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return .text(ModelString(String(decoding: bytes, as: UTF8.self)))
    }

    /// Functions of a value that is neither MISSING nor null.
    private static let ofValues: [String: @Sendable (ModelValue) -> ModelValue] = [
        "isarray": { .boolean($0.elements != nil) },
        "isatom": { .boolean($0.plainNumber != nil || $0.string != nil) },
        "isboolean": { if case .boolean = $0 { .boolean(true) } else { .boolean(false) } },
        "isnumber": { .boolean($0.double != nil) },
        "isobject": { if case .object = $0 { .boolean(true) } else { .boolean(false) } },
        "isstring": { .boolean($0.string != nil) },
        "type": { .text($0.typeName) },
        "toboolean": { .boolean($0.isTruthy) },
        "tonumber": { value in
            value.string != nil || value.plainNumber != nil
                ? value.asNumber : .null
        },
        "toarray": { $0.elements == nil ? .array([$0]) : $0 },
        "tostring": { _ in .null },
        "object_length": { value in
            if case .object(let members) = value { .integer(Int64(members.count)) } else { .null }
        },
        "object_names": { value in
            guard case .object(let members) = value else { return .null }
            return .array(members.keys.sorted().map { .text($0) })
        },
        "array_reverse": { $0.elements.map { .array($0.reversed()) } ?? .null },
    ]

    private static func extremeNumber(
        _ value: ModelValue, _ isBefore: (Double, Double) -> Bool
    ) -> ModelValue {
        let numbers = value.elements?.compactMap(\.mathsNumber) ?? []
        return numbers.min(by: isBefore).map { .real($0) } ?? .null
    }

    /// Functions that treat every value that is not an array as an empty one.
    private static let ofArrays: [String: @Sendable (ModelValue) -> ModelValue] = [
        "array_length": { .integer(Int64($0.elements?.count ?? 0)) },
        "array_sum": { value in
            .real((value.elements?.compactMap(\.mathsNumber) ?? []).reduce(0, +))
        },
        "array_avg": { value in
            let numbers = value.elements?.compactMap(\.mathsNumber) ?? []
            return .real(numbers.isEmpty ? 0 : numbers.reduce(0, +) / Double(numbers.count))
        },
        "array_max": { extremeNumber($0, >) }, "array_min": { extremeNumber($0, <) },
    ]
}

extension ModelValue {
    /// The value of a number, or 1 or 0 for a Boolean.
    var mathsNumber: Double? {
        if case .boolean(let bool) = self { bool ? 1 : 0 } else { double }
    }

    /// The string to search in or for.
    fileprivate var part: String? {
        switch self {
        case .text(let text): text.string
        case .boolean(let bool): bool ? "1" : "0"
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(Int64(bitPattern: number))"
        case .real(let number): "\(number)"
        default: nil
        }
    }

    fileprivate var typeName: String {
        switch self {
        case .missing, .null: ""
        case .boolean: "boolean"
        case .integer, .unsigned, .real: "number"
        case .text: "string"
        case .data: "binary"
        case .array: "array"
        case .object: "object"
        }
    }

    fileprivate var isTruthy: Bool {
        switch self {
        case .text(let text): !text.utf8.isEmpty
        case .array(let values): !values.isEmpty
        case .object(let members): !members.isEmpty
        case .boolean(let bool): bool
        default: double ?? 0 != 0
        }
    }

    /// The number at the start of a string, 0 if there is none.
    fileprivate var asNumber: ModelValue {
        switch self {
        case .text, .boolean: number?.value ?? .missing
        default: self
        }
    }
}
