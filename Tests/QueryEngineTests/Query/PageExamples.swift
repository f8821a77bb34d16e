import EngineTestSupport
import Foundation

/// The statements of a page of docs/, with their documented results.
struct PageExamples {
    /// A statement and the block after it.
    struct Example: CustomStringConvertible {
        let statement: String
        /// What stands in a comment before it, as a JSON object.
        let parameters: String?
        /// `json` for rows, `plan` for a plan, `text` for a message.
        let language: String
        let answer: [String]

        var description: String { statement }
    }

    /// The documents: collection, ID, JSON.
    private(set) var documents: [(collection: String, id: String, json: String)] = []
    private(set) var examples: [Example] = []
    /// Queries in the JSON form, and the statements that they stand for.
    private(set) var translations: [(json: String, statement: String)] = []

    init(page name: String) throws {
        var statement: String?
        var json: String?
        for (language, lines) in try PagePrograms.blocks(ofPage: name) {
            let text = lines.joined(separator: "\n")
            switch (language, statement) {
            case ("documents", _): documents = try lines.map(Self.document)
            case ("sql", nil):
                if let query = json { translations.append((query, Self.parts(text).statement)) }
                json = nil
                statement = text
            case ("json", nil): json = text
            case ("json", let text?), ("plan", let text?), ("text", let text?):
                let parts = Self.parts(text)
                examples.append(
                    Example(
                        statement: parts.statement, parameters: parts.parameters,
                        language: language, answer: lines))
                statement = nil
            default: break
            }
        }
    }

    private static func document(
        _ line: String
    ) throws -> (collection: String, id: String, json: String) {
        let form = /([a-z]+)\/([a-z]+) +(\{.*\})/
        guard let match = line.wholeMatch(of: form) else { throw PageError(line: line) }
        return (String(match.1), String(match.2), String(match.3))
    }

    private static func parts(_ text: String) -> (statement: String, parameters: String?) {
        guard text.hasPrefix("-- {"), let end = text.firstIndex(of: "\n") else {
            return (text, nil)
        }
        return (
            String(text[text.index(after: end)...]), String(text[..<end].dropFirst("-- ".count))
        )
    }
}

/// A line that is not what it should be.
struct PageError: Error {
    let line: String
}
