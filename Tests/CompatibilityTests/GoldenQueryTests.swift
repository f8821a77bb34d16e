import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// A result that LiteCore gave for a query of `sample_vectors_503`, and the result of this engine.
struct GoldenQuery: CustomTestStringConvertible, Sendable {
    /// The line number in the file, starting at 1.
    let line: Int
    let isJSON: Bool
    let text: String
    let parameters: String?
    let columns: [String]?
    /// The rows as JSON, with `{"@":"MISSING"}` for MISSING; nil if LiteCore failed.
    let rows: String?

    var testDescription: String { "line \(line): \(text)" }

    static func all() throws -> [GoldenQuery] {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").enumerated().map { index, line in
            let result = try FleeceDocument(json: String(line)).root
            return GoldenQuery(
                line: index + 1, isJSON: result["language"]?.string == "JSON",
                text: result["query"]?.string ?? "", parameters: try result["parameters"]?.json(),
                columns: result["columns"]?.array?.compactMap(\.string),
                rows: try result["rows"]?.json())
        }
    }

    /// The rows of this engine, in the same format.
    func result(in snapshot: Snapshot) throws -> (columns: [String], rows: String) {
        let query = try isJSON ? Query(json: text) : Query(text)
        let rows = try query.rows(
            in: snapshot, parameters.map { try QueryParameters(json: $0) } ?? [:],
            limits: QueryLimits(seconds: 10))
        var encoder = FleeceEncoder()
        encoder.beginArray()
        while let row = try rows.next() {
            encoder.beginArray()
            for column in 0..<row.count { try Self.write(row[column], to: &encoder) }
            try encoder.endArray()
        }
        try encoder.endArray()
        return (rows.columnNames, try FleeceDocument(validating: encoder.finish()).root.json())
    }

    private static func write(_ value: QueryValue, to encoder: inout FleeceEncoder) throws {
        switch value {
        case .missing:
            encoder.beginDictionary()
            try encoder.writeKey("@")
            encoder.writeString("MISSING")
            try encoder.endDictionary()
        // JSON has no infinity.
        case .real(let number) where !number.isFinite: encoder.writeNull()
        default: try encoder.write(value)
        }
    }
}

@Suite(
    "Queries with results of LiteCore", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenQueryTests {
    /// Results that differ, and why: defects of LiteCore (`docs/query.md` lists them).
    private static let defects: [(reason: String, queries: [String])] = [
        (
            "the quotient of integers is exact",
            [
                "SELECT 7/2 AS r FROM _ LIMIT 1", "SELECT 2*3/4 AS r FROM _ LIMIT 1",
                "SELECT 10/4*4 AS r FROM _ LIMIT 1",
            ]
        ),
        (
            "a Boolean remains one in an array and a dictionary",
            [
                "SELECT toarray(true) AS r FROM _ LIMIT 1",
                "SELECT toarray(false) AS r FROM _ LIMIT 1",
                "SELECT META() AS m FROM _ WHERE META().id='updated3x'",
            ]
        ),
        (
            "a document without properties is counted, too",
            [
                "SELECT gender, COUNT(*) AS n FROM _ GROUP BY gender ORDER BY gender",
                "SELECT contact.address.state AS s, COUNT(*) AS n FROM _ GROUP BY "
                    + "contact.address.state HAVING COUNT(*) > 3 ORDER BY n DESC, s",
                "SELECT array_length(contact.phone) AS n, COUNT(*) AS c FROM _ GROUP BY "
                    + "array_length(contact.phone) ORDER BY n",
                #"{"WHAT":[["COUNT()",["."]]]}"#,
            ]
        ),
        (
            "the largest of negative numbers is one of them",
            ["SELECT array_max([-5,-2]) AS r FROM _ LIMIT 1"]
        ),
        (
            "Booleans and large numbers are preserved, also as parameters",
            ["SELECT $x AS x FROM _ LIMIT 1"]
        ),
    ]

    private func withResults(
        _ body: (GoldenQuery, Result<(columns: [String], rows: String), any Error>) throws -> Void
    ) throws {
        let directory = try TemporaryDirectory()
        let file = try DataFile(
            path: GoldenDatabase.named("sample_vectors_503").copy(to: directory),
            options: .init(access: .readOnly))
        let queries = try GoldenQuery.all()
        #expect(queries.count == 595)
        try file.read { snapshot in
            for query in queries { try body(query, Result { try query.result(in: snapshot) }) }
        }
    }

    @Test("have the same columns and rows, except for listed defects")
    func rows() throws {
        let listed = Set(Self.defects.flatMap(\.queries))
        var different: Set<String> = []
        var same = 0
        try withResults { query, result in
            guard let rows = query.rows else { return }
            let result = try result.get()
            #expect(result.columns == query.columns, "\(query.testDescription)")
            if result.rows == rows {
                same += 1
            } else {
                different.insert(query.text)
                #expect(listed.contains(query.text), "\(query.testDescription): \(result.rows)")
            }
        }
        #expect(different == listed)
        #expect(same == 548)
    }

    /// What LiteCore rejects or cannot compute, and the result here: nil for an error.
    private static let refused: [String: String?] = [
        "SELECT [10,20,30][1] AS r FROM _ LIMIT 1": "[[20]]",
        "SELECT array_contains([1,null],null) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued(MISSING) AS r FROM _ LIMIT 1": "[[false]]",
        "SELECT isvalued(false) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued(5) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued(2.5) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued('') AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued('x') AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued([1,2]) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued({}) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT isvalued({'a':1}) AS r FROM _ LIMIT 1": "[[true]]",
        "SELECT round_even('x') AS r FROM _ LIMIT 1": "[[null]]",
        // LiteCore was given a value for a parameter x, which the query does not have.
        "SELECT $missing AS x FROM _ LIMIT 1": nil,
        "SELECT l, COUNT(*) AS n FROM _ AS p UNNEST p.likes AS l GROUP BY l "
            + "ORDER BY n DESC, l LIMIT 8":
            #"[["boxing",10],["chatting",10],["running",9],["ironing",7],["shopping",7],"#
            + #"["swimming",7],["chess",6],["snowboarding",6]]"#,
        "SELECT * FROM _ LIMIT": nil, "SELECT x FROM _ UNNEST": nil,
        "SELECT x FROM _ GROUP BY": nil,
        #"["AND",["=",["array_count()",["$","."]],1],["=",1,1]]"#: nil,
        #"{"WHAT":[[".a"]],"WHERE":["ANY","x"]}"#: nil,
        "SELECT round('x') AS r FROM _ LIMIT 1": "[[null]]",
        "SELECT COUNT(gender) AS n, COUNT(DISTINCT gender) AS d FROM _": "[[100,2]]",
        "SELECT": nil, "SELECT * FROM nowhere": nil, "SELECT foo() FROM _": nil,
        "SELECT abs() FROM _": nil, "SELECT 'abc FROM _": nil, "SELECT a b c FROM _": nil,
        "SELECT * FROM _ ORDER": nil, "SELECT (1 FROM _": nil, "UPDATE _ SET a=1": nil,
        "DELETE FROM _": nil, "SELECT a AS order FROM _": nil, "[]": nil,
        "SELECT a FROM _ JOIN _ ON 1=1": nil,
    ]

    @Test("that LiteCore rejected have a result if they are meaningful")
    func refusals() throws {
        var seen: Set<String> = []
        try withResults { query, result in
            guard query.rows == nil else { return }
            let expected = try #require(Self.refused[query.text], "\(query.testDescription)")
            seen.insert(query.text)
            let rows = try? result.get().rows
            #expect(rows == expected, "\(query.testDescription): \(result)")
        }
        #expect(seen == Set(Self.refused.keys))
    }
}
