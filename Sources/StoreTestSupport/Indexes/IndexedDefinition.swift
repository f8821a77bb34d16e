internal import DocumentStore

/// What an index contains, parsed from its row in the registry by simple means: properties, and a
/// condition on one property.
struct IndexedDefinition {
    /// Names of nested properties.
    typealias Path = [String]

    /// The condition on documents in an index.
    enum Condition {
        case equalsText(Path, String)
        case isAbove(Path, Double)
        case isPresent(Path)
    }

    let paths: [Path]
    let condition: Condition?

    /// The expression is too complex for this parser.
    struct Unreadable: Error, CustomStringConvertible {
        let text: String
        var description: String { "\(text) cannot be checked" }
    }

    /// - Parameters:
    ///   - expression: the expression in the registry.
    ///   - condition: the condition in SQL++.
    init(_ expression: String, where condition: String?) throws {
        let isMarked = expression.hasPrefix("=")
        let text = String(expression.dropFirst(isMarked ? 2 : 0))
        let isJSON = isMarked ? expression.hasPrefix("=j") : text.hasPrefix("[")
        paths = try isJSON ? Self.jsonPaths(text) : Self.paths(text)
        self.condition = try condition.map { try Self.condition($0) }
    }

    /// `name.last, age`
    private static func paths(_ text: String) throws -> [Path] {
        try text.split(separator: "," as Character).map { part in
            try path(String(part).parts(by: " COLLATE ")[0].filter { $0 != " " })
        }
    }

    static func path(_ text: some StringProtocol) throws -> Path {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
        guard isPlain, !text.isEmpty else { throw Unreadable(text: String(text)) }
        return String(text).parts(by: ".")
    }

    /// `[[".name.last"],["COLLATE",{…},[".age"]]]`
    private static func jsonPaths(_ text: String) throws -> [Path] {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(text)
        let root = try FleeceDocument(trusted: encoder.finish()).root
        return try (root.array.map(Array.init) ?? []).map { expression in
            let isOrdered = expression[0]?.string == "COLLATE"
            let property = isOrdered ? expression[2]?[0]?.string : expression[0]?.string
            guard let property, property.hasPrefix(".") else { throw Unreadable(text: text) }
            return try path(property.dropFirst())
        }
    }

    private static func condition(_ text: String) throws -> Condition {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 3 else { throw Unreadable(text: text) }
        let path = try path(words[0])
        let operand = words[2...].joined(separator: " ")
        switch words[1] {
        case "=" where operand.hasPrefix("'"):
            return .equalsText(path, String(operand.dropFirst().dropLast()))
        case ">":
            guard let number = Double(operand) else { throw Unreadable(text: text) }
            return .isAbove(path, number)
        case "IS" where operand == "NOT MISSING": return .isPresent(path)
        default: throw Unreadable(text: text)
        }
    }

    /// Whether a document is in the index, by the rules of SQL.
    func selects(_ root: FleeceValue?) -> Bool {
        switch condition {
        case nil: true
        case .equalsText(let path, let text):
            IndexedValue(root?.value(at: path)) == .text(Array(text.utf8))
        case .isPresent(let path): IndexedValue(root?.value(at: path)) != .missing
        case .isAbove(let path, let bound):
            switch IndexedValue(root?.value(at: path)) {
            case .missing: false
            case .integer(let number): Double(number) > bound
            case .real(let number): number > bound
            // Strings sort after numbers, blobs after strings.
            case .text, .null, .collection, .bytes: true
            }
        }
    }

    /// The indexed values of a document.
    func values(_ root: FleeceValue?) -> [IndexedValue] {
        paths.map { IndexedValue(root?.value(at: $0)) }
    }
}

extension String {
    /// The parts between occurrences of a separator; the whole string if there is none.
    func parts(by separator: String) -> [String] {
        var parts: [String] = []
        var start = startIndex
        for range in ranges(of: separator) {
            parts.append(String(self[start..<range.lowerBound]))
            start = range.upperBound
        }
        return parts + [String(self[start...])]
    }
}
