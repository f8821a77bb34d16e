internal import DocumentStore

/// A function call between `{{` and `}}`: a name and arguments.
struct GeneratorFunction {
    /// An argument: a number, a word, or a quoted string.
    struct Argument {
        let text: String
        let isQuoted: Bool

        var number: Double? { isQuoted ? nil : Double(text).flatMap { $0.isFinite ? $0 : nil } }
        var integer: Int? { isQuoted ? nil : Int(text) }
    }

    let name: String
    let arguments: [Argument]
    /// The source text, for messages and as identity.
    let source: String

    /// The functions and their numbers of arguments.
    private static let known: [String: ClosedRange<Int>] = [
        "bool": 0...0, "date": 2...2, "floating": 2...3, "gauss": 2...2, "guid": 0...0,
        "integer": 2...2, "lorem": 1...2, "random": 1...1000, "range": 1...3, "repeat": 1...2,
        "index": 0...0,
    ]

    /// Parses a function call.
    ///
    /// - Throws: an error for an unknown name or invalid arguments.
    init(_ source: String) throws {
        self.source = source
        let trimmed = source.drop(while: \.isWhitespace)
        name = String(trimmed.prefix { $0.isLetter }).lowercased()
        var rest = trimmed.dropFirst(name.count).drop(while: \.isWhitespace)
        guard let counts = Self.known[name] else {
            throw ToolError(
                "the template has the unknown function {{\(Text.line(source))}}; there are "
                    + Self.known.keys.sorted().joined(separator: ", "))
        }
        guard rest.popFirst() == "(" else { throw Self.wrong(source, "'(' is expected") }
        arguments = try Self.arguments(&rest, source)
        guard rest.allSatisfy(\.isWhitespace) else {
            throw Self.wrong(source, "something follows ')'")
        }
        guard counts.contains(arguments.count) else {
            throw Self.wrong(source, "the number of arguments is wrong")
        }
        try check()
    }

    private static func arguments(
        _ rest: inout Substring, _ source: String
    ) throws -> [Argument] {
        var arguments: [Argument] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { throw wrong(source, "')' is missing") }
            if first == ")" {
                rest.removeFirst()
                return arguments
            }
            if !arguments.isEmpty {
                guard first == "," else { throw wrong(source, "',' is expected") }
                rest = rest.dropFirst().drop(while: \.isWhitespace)
            }
            arguments.append(try argument(&rest, source))
        }
    }

    private static func argument(_ rest: inout Substring, _ source: String) throws -> Argument {
        if let quote = rest.first, quote == "'" || quote == "\"" {
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(of: quote) else {
                throw wrong(source, "a quoted string has no end")
            }
            rest = inside[end...].dropFirst()
            return Argument(text: String(inside[..<end]), isQuoted: true)
        }
        let word = rest.prefix { $0 != "," && $0 != ")" }
        rest = rest.dropFirst(word.count)
        var text = word
        while text.last?.isWhitespace == true { text.removeLast() }
        guard !text.isEmpty else { throw wrong(source, "an argument is missing") }
        return Argument(text: String(text), isQuoted: false)
    }

    private func check() throws {
        switch name {
        case "integer":
            let (low, high) = (arguments[0].integer, arguments[1].integer)
            guard let low, let high, low <= high,
                high.subtractingReportingOverflow(low).overflow == false
            else { throw Self.wrong(source, "it takes two integers, the lower one first") }
        case "repeat":
            let counts = arguments.map(\.integer)
            guard let low = counts[0], let high = counts[counts.count - 1], low >= 0, low <= high,
                high <= 1_000_000
            else { throw Self.wrong(source, "it takes one or two counts, the lower one first") }
        case "floating":
            guard let low = arguments[0].number, let high = arguments[1].number, low <= high,
                arguments.count == 2 || (0...15).contains(arguments[2].integer ?? -1)
            else { throw Self.wrong(source, "it takes two numbers and up to 15 digits") }
        case "gauss":
            guard arguments.allSatisfy({ $0.number != nil }) else {
                throw Self.wrong(source, "it takes a mean and a deviation")
            }
        case "date":
            guard let low = arguments[0].date, let high = arguments[1].date, low <= high else {
                throw Self.wrong(source, "it takes two dates like 2024-01-31, the earlier first")
            }
        case "lorem":
            guard (0...100_000).contains(arguments[0].integer ?? -1),
                ["words", "sentences", "paragraphs"].contains(unit)
            else {
                throw Self.wrong(source, "it takes a number, and words, sentences or paragraphs")
            }
        case "range":
            guard arguments.allSatisfy({ $0.integer != nil }) else {
                throw Self.wrong(source, "it takes integers: start, stop, step")
            }
        default: break
        }
    }

    /// The unit of `lorem`.
    var unit: String { arguments.count > 1 ? arguments[1].text.lowercased() : "words" }

    private static func wrong(_ source: String, _ message: String) -> ToolError {
        ToolError("{{\(Text.line(source))}} in the template is invalid: \(message)")
    }
}

extension GeneratorFunction.Argument {
    /// Milliseconds since 1970 of a date such as 2024-01-31 or 2024-01-31T12:00:00Z.
    var date: Int64? { FleeceTimestamp(parsing: text)?.milliseconds }
}
