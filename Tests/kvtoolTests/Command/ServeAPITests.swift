import Foundation
import ProjectTestSupport
import Testing

@Suite("The OpenAPI document of kvtool serve")
struct ServeAPITests {
    private let api: APIDescription
    private let database: APIDatabase

    init() throws {
        api = try APIDescription()
        database = try APIDatabase()
    }

    @Test("has the requests of the manual, with the same parameters")
    func manual() throws {
        let described = Set(api.operations.map(\.text))
        let documented = try Self.documented()
        #expect(documented.count > 30)
        #expect(described.subtracting(documented).sorted() == [])
        #expect(documented.subtracting(described).sorted() == [])
    }

    /// The requests in the table of the manual: `GET /DB/info.json`, and names behind it, which
    /// have the same method and directory.
    private static func documented() throws -> Set<String> {
        let file = PackageDirectory.url.appending(path: "docs/inspector.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        var requests: Set<String> = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.components(separatedBy: " | ")[0]
            var (method, directory) = ("", "")
            for part in cell.matches(of: #/`([^`]+)`/#) {
                var target = String(part.1)
                if let space = target.firstIndex(of: " ") {
                    method = String(target[..<space])
                    target = String(target[target.index(after: space)...])
                    let end = target.lastIndex(of: "/") ?? target.startIndex
                    directory = String(target[...end])
                } else {
                    target = directory + target
                }
                let sides = target.split(separator: "?", maxSplits: 1)
                let names = (sides.count > 1 ? sides[1] : "").split(separator: "&").map {
                    String($0.prefix { $0 != "=" })
                }
                requests.insert(APIDescription.text(method, String(sides[0]), names))
            }
        }
        return requests
    }

    @Test("is served as it is in the sources, without a token")
    func document() throws {
        let served = try ServedTool(database.path)
        let answer = try served.get("/openapi.json", [:])
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/json")
        #expect(try answer.body == Data(contentsOf: APIDescription.file))
    }

    @Test("describes all fields of the answers, and those that are always there")
    func answers() throws {
        let served = try ServedTool(database.path)
        for operation in api.operations where operation.method == "GET" {
            guard !operation.isStream else { continue }
            let target = Self.target(operation)
            let answer = try served.get(target)
            #expect(answer.status == 200, "\(target): \(answer.text)")
            let type = answer.headers["Content-Type"] ?? ""
            let content = try #require(operation.content("200")[type], "\(target): \(type)")
            guard type == "application/json", let schema = content["schema"] as? [String: Any]
            else { continue }
            let value = try JSONSerialization.jsonObject(with: answer.body)
            #expect(api.differences(value, schema) == [], "\(target)")
            guard operation.responses["304"] != nil else { continue }
            let tag = try #require(answer.headers["ETag"], "\(target)")
            let headers = ServedTool.authorized.merging(["If-None-Match": tag]) { _, new in new }
            #expect(try served.get(target, headers).status == 304, "\(target)")
        }
    }

    /// The path with the examples of the parameters, of the query's only those that are required.
    private static func target(_ operation: APIDescription.Operation) -> String {
        let path = operation.path.replacingOccurrences(of: "{DB}", with: "people")
            .replacingOccurrences(of: "{COLL}", with: "_default")
        let required = operation.query.filter { $0.value["required"] as? Bool == true }
        let pairs = required.map { "\($0.key)=\($0.value["example"] as? String ?? "")" }
        return pairs.isEmpty ? path : "\(path)?\(pairs.sorted().joined(separator: "&"))"
    }

    @Test("has all methods of each path: others are answered with 405 and these")
    func methods() throws {
        let served = try ServedTool(database.path, "--writable")
        for (path, operations) in Dictionary(grouping: api.operations, by: \.path) {
            let target = Self.target(operations[0])
            let answer = try served.send("PATCH", target)
            #expect(answer.status == 405, "\(target): \(answer.text)")
            let allowed = answer.headers["Allow"]?.components(separatedBy: ", ") ?? []
            let described = operations.map(\.method)
            let head = described.contains("GET") ? ["HEAD"] : []
            #expect(allowed.sorted() == (described + head).sorted(), "\(path)")
        }
        #expect(try served.send("PATCH", "/people/none.json").status == 404)
    }

    @Test("describes streams, whose errors are events")
    func streams() throws {
        let served = try ServedTool(database.path)
        for operation in api.operations where operation.isStream {
            let target = Self.target(operation) + (operation.method == "GET" ? "?since=never" : "")
            let body = operation.method == "GET" ? "" : #"{"query":"SELECT FROM"}"#
            let answer = try served.send(operation.method, target, ServedTool.changing, body)
            #expect(answer.status == 200, "\(target): \(answer.text)")
            #expect(answer.headers["Content-Type"] == "text/event-stream", "\(target)")
            #expect(answer.text.contains(#"data: {"error":{"status":"#), "\(target)")
        }
    }
}

/// What schemathesis finds: a response that the document does not describe, a valid request that
/// is refused, one that is not valid and accepted, an error of the server.
@Suite("Requests that schemathesis generates", .enabled(if: Schemathesis.program != nil))
struct ServeGeneratedRequestTests {
    private let database: APIDatabase

    init() throws {
        database = try APIDatabase()
    }

    @Test("are answered as described by a server that only reads")
    func reading() throws {
        let served = try ServedTool(database.path)
        let outcome = try Schemathesis.run(served)
        #expect(outcome.status == 0, "\(outcome.stdout)\n\(outcome.stderr)")
        #expect(served.interrupt() == 130)
    }

    @Test("are answered as described by a server that changes the database")
    func writing() throws {
        let served = try ServedTool(database.path, "--writable")
        let outcome = try Schemathesis.run(
            served, "--include-method", "POST", "--include-method", "PUT", "--include-method",
            "DELETE")
        #expect(outcome.status == 0, "\(outcome.stdout)\n\(outcome.stderr)")
        #expect(served.interrupt() == 130)
        #expect(try Kvtool.run(["verify", database.path]).success().status == 0)
    }
}
