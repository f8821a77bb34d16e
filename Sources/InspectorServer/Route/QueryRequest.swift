internal import DocumentStore
internal import FleeceLite
internal import NIOHTTP1

/// A query with its parameters, as a client sends it.
struct QueryRequest: Sendable {
    let text: String
    private let parameters: [(name: String, value: String)]
    private let limit: Int64?
    private let seconds: Double?
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
        parameters =
            try object["parameters"]?.dictionary?.map { name, value in
                (name, try value.json(.init()))
            } ?? []
        limit = object["limit"]?.int
        seconds = object["seconds"]?.double
        measures = object["measure"]?.bool ?? false
    }

    /// Whether it changes documents.
    var isChange: Bool {
        let first = text.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        return ["UPDATE", "DELETE"].contains(first)
    }

    var options: [String] { parameters.map { "--param=\($0.name)=\($0.value)" } }

    /// The limits of the client, at most these.
    func limits(rows: Int64, seconds longest: Double) -> [String] {
        let rows = min(max(limit ?? rows, 0), 100_000)
        let time = min(max(seconds ?? longest, 0.001), 600)
        return ["--limit=\(rows)", "--seconds=\(time)"]
    }
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
}
