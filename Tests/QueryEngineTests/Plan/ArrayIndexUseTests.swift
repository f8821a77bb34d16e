import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreTestSupport
import Testing

@Suite("Array indexes of several levels, and of expressions")
struct ArrayIndexUseTests {
    private static let documents: [(id: String, json: String)] = (0..<200).map { number in
        let students = (0..<3).map { student in
            let interests = "[\"i\((number + student) % 50)\",\"all\",\(number % 2 == 0)]"
            return "{\"name\":\"S\(number % 40)\",\"year\":\(student),\"code\":\(number),"
                + "\"interests\":\(interests)}"
        }
        return ("d\(number)", "{\"students\":[\(students.joined(separator: ","))],\"n\":\(number)}")
    }

    private static let odd: [(id: String, json: String)] = [
        ("o1", #"{"students":"i7"}"#), ("o2", #"{"students":{"x":{"interests":["i7"]}}}"#),
        ("o3", #"{"students":[{"interests":"i7"},null,[{"interests":["i7"]}]]}"#),
        ("o4", #"{"students":[]}"#), ("o5", "{}"),
        ("o6", #"{"students":[{"interests":{"k":"i7"},"name":true}]}"#),
    ]

    private func fixture() throws -> QueryFixture { try QueryFixture(Self.documents + Self.odd) }

    private static let questions = [
        "SELECT META().id FROM _ WHERE ANY s IN students SATISFIES "
            + "ANY i IN s.interests SATISFIES i = 'i7' END END",
        "SELECT META().id FROM _ WHERE ANY s IN students SATISFIES s.year > 0 AND "
            + "ANY i IN s.interests SATISFIES i BETWEEN 'i7' AND 'i8' END END AND n < 100",
        "SELECT META(d).id, s.name, i FROM _ AS d UNNEST d.students AS s "
            + "UNNEST s.interests AS i WHERE i = 'i7'",
    ]

    @Test("find documents by elements of arrays in elements", arguments: questions)
    func levels(question: String) throws {
        let fixture = try fixture()
        let before = try fixture.rows(question).sorted()
        try fixture.createIndex(.array("byInterest", path: "students[].interests"))
        let plan = try fixture.plan(question)
        #expect(plan.indexes.contains("byInterest"), "\(plan)")
        #expect(!plan.scansDocuments, "\(plan)")
        #expect(try fixture.rows(question).sorted() == before)
        #expect(!before.isEmpty)
    }

    @Test("preserve the types of the elements, including values that are not arrays")
    func types() throws {
        let fixture = try fixture()
        let questions = [
            "SELECT i, type(i) AS t, [i] AS l FROM _ AS d UNNEST d.students AS s "
                + "UNNEST s.interests AS i WHERE i < 'b' AND d.n < 20",
            "SELECT META(d).id, i FROM _ AS d LEFT UNNEST d.students AS s "
                + "LEFT UNNEST s.interests AS i WHERE d.n IS MISSING",
            "SELECT META().id FROM _ WHERE ANY s IN students SATISFIES "
                + "ANY i IN s.interests SATISFIES isboolean(i) END AND s.year = 1 END",
            "SELECT META().id FROM _ WHERE EVERY s IN students SATISFIES "
                + "ANY i IN s.interests SATISFIES i = 'all' END END",
            // For an element without interests the condition is missing, which does not exclude it.
            "SELECT META().id FROM _ WHERE ANY AND EVERY s IN students SATISFIES "
                + "ANY s IN s.interests SATISFIES s = 'i7' END END",
        ]
        let before = try questions.map { try fixture.rows($0).sorted() }
        try fixture.createIndex(.array("byInterest", path: "students[].interests"))
        for (question, rows) in zip(questions, before) {
            #expect(try fixture.rows(question).sorted() == rows, "\(question)")
        }
        #expect(before[0].contains(#"{"i":true,"l":[true],"t":"boolean"}"#))
    }

    @Test(
        "find documents by an expression of an element",
        arguments: [
            ("lower(name)", "ANY s IN students SATISFIES lower(s.name) = 's7' END"),
            ("name || 'x'", "ANY s IN students SATISFIES s.name || 'x' = 'S7x' END"),
            ("code + 1", "ANY s IN students SATISFIES s.code + 1 = 8 END"),
            ("type(name)", "ANY s IN students SATISFIES type(s.name) = 'boolean' END"),
        ])
    func expressions(expression: String, condition: String) throws {
        let fixture = try fixture()
        let question = "SELECT META().id FROM _ WHERE " + condition
        let inner = condition.dropFirst("ANY s IN students SATISFIES ".count).dropLast(4)
        let unnest = "SELECT META(d).id, s.name FROM _ AS d UNNEST d.students AS s WHERE " + inner
        let before = try [question, unnest].map { try fixture.rows($0).sorted() }
        #expect(!before[0].isEmpty)
        try fixture.createIndex(
            .array("byExpression", path: "students", on: .sqlPlusPlus(expression)))
        for (question, rows) in zip([question, unnest], before) {
            let plan = try fixture.plan(question)
            #expect(plan.indexes.contains("byExpression"), "\(plan)")
            #expect(!plan.scansDocuments, "\(plan)")
            #expect(try fixture.rows(question).sorted() == rows)
        }
    }

    @Test("do not confuse a property of the document with one of the element")
    func names() throws {
        let fixture = try fixture()
        let question =
            "SELECT META().id FROM _ WHERE ANY s IN students SATISFIES lower(name) = 's7' END"
        let before = try fixture.rows(question)
        try fixture.createIndex(.array("byName", path: "students", on: "lower(name)"))
        #expect(try fixture.rows(question) == before)
        #expect(before.isEmpty)
    }

    /// Values that an index keeps in another form than a document does.
    private static let collections: [(id: String, json: String)] = [
        "{\"name\":1,\"length\":2}", "{\"x\":1}", "[1]", "[]", "{\"alongpropertynamehere\":1}",
        #"{"@type":"blob","digest":"sha1-tz6OvWgcplpaidoViGRX6pzp8G0=","length":11}"#,
    ].enumerated().map { number, value in
        (
            "d\(number)",
            "{\"b\":\(value),\"l\":[\(value),2],\"m\":[{\"k\":\(value),\"in\":[\(value)]}]}"
        )
    }

    @Test(
        "compare dictionaries and arrays like documents",
        arguments: [
            "SELECT META(p).id FROM _ AS p UNNEST p.m AS u WHERE p.b = u.k",
            "SELECT META(p).id FROM _ AS p UNNEST p.l AS u WHERE p.b = u",
            "SELECT META(p).id FROM _ AS p UNNEST p.l AS u WHERE u IN [p.b]",
            "SELECT META(p).id FROM _ AS p UNNEST p.l AS u WHERE p.b IS u",
            "SELECT META(p).id FROM _ AS p UNNEST p.l AS u WHERE p.b >= u AND u >= p.b",
            "SELECT META(p).id FROM _ AS p UNNEST p.l AS u WHERE u BETWEEN p.b AND p.b",
            "SELECT META(p).id FROM _ AS p UNNEST p.m AS u UNNEST u.`in` AS v WHERE v = p.b",
            "SELECT META().id FROM _ WHERE ANY v IN l SATISFIES v = b END",
            "SELECT META().id FROM _ WHERE ANY v IN m SATISFIES v.k = b END",
        ])
    func collections(question: String) throws {
        let fixture = try QueryFixture(Self.collections)
        let before = try fixture.rows(question).sorted()
        #expect(before.count == Self.collections.count, "\(before)")
        try fixture.createIndex(.array("byElement", path: "l"))
        try fixture.createIndex(.array("byKey", path: "m", on: "k"))
        try fixture.createIndex(.array("byInner", path: "m[].in"))
        #expect(try fixture.rows(question).sorted() == before)
    }

    @Test("change the same documents where dictionaries are compared")
    func changes() throws {
        for isIndexed in [false, true] {
            let fixture = try QueryFixture(Self.collections)
            if isIndexed { try fixture.createIndex(.array("byElement", path: "l")) }
            let query = try Query("DELETE FROM _ WHERE ANY v IN l SATISFIES v = b END")
            let count = try fixture.file.write { try query.run(in: $0) }
            #expect(count == Self.collections.count, "\(isIndexed)")
        }
    }
}
