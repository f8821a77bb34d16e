internal import DocumentStore
internal import FleeceLite
internal import NIOHTTP1

/// A query with its parameters, as a client sends it.
struct QueryRequest: Sendable {
    let text: String
    private let parameters: [(name: String, value: String)]
    private let limit: Int64?
    private let longest: Double?
    /// Whether indexes that would help are tried in a copy of the database.
    let measures: Bool

    /// Reads `{"query": "SELECT …", "parameters": {…}, "limit": 100, "seconds": 5}`.
    init(_ body: [UInt8]) throws {
        let object = try JSONBody.object(body)
        guard let text = object["query"]?.string, !text.isEmpty else {
            throw BadRequest("the property query is missing")
        }
        // The command would read a file.
        guard !text.hasPrefix("@"), text != "-" else {
            throw BadRequest("a query begins with SELECT, {, or [")
        }
        self.text = text
        let values = try JSONBody.value("parameters", of: object, "an object") { $0.dictionary }
        parameters = try values?.map { name, value in (name, try value.json(.init())) } ?? []
        // "name=@file" would be another parameter, whose value the command reads from a file.
        guard parameters.allSatisfy({ !$0.name.contains("=") && !$0.value.hasPrefix("@") }) else {
            throw BadRequest("the name of a parameter contains =")
        }
        limit = try JSONBody.value("limit", of: object, "an integer") { $0.int }
        longest = try JSONBody.value("seconds", of: object, "a number") { $0.double }
        measures = try JSONBody.value("measure", of: object, "true or false") { $0.bool } ?? false
    }

    /// Whether it changes documents. The command reports a syntax error.
    var isChange: Bool { (try? Query(text))?.isChange ?? false }

    var options: [String] { parameters.map { "--param=\($0.name)=\($0.value)" } }

    /// The limit of the rows: the client's, 1000 by default.
    var rows: String { "--limit=\(min(max(limit ?? 1000, 0), 100_000))" }

    /// The limit of the time: the client's, 10 seconds by default.
    var seconds: String { "--seconds=\(min(max(longest ?? 10, 0.001), 600))" }
}

/// JSON that a client sends.
enum JSONBody {
    static func object(_ body: [UInt8]) throws -> FleeceDictionary {
        let text = String(validating: body, as: UTF8.self)
        guard let text, let document = try? FleeceDocument(json: text),
            let object = document.root.dictionary
        else { throw BadRequest(.badRequest, "the body is not a JSON object") }
        return object
    }

    /// A property; nil if it is missing.
    ///
    /// - Parameter type: what it must be, such as `a string`.
    /// - Throws: `BadRequest` if `read` returns nil.
    static func value<T>(
        _ name: String, of object: FleeceDictionary, _ type: String,
        _ read: (FleeceValue) -> T?
    ) throws -> T? {
        guard let value = object[name] else { return nil }
        guard let result = read(value) else {
            throw BadRequest("the property \(name) is not \(type)")
        }
        return result
    }
}
