import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import QueryEngine
import StoreFormat
import Testing

@Suite("The time limit of a query")
struct QuerySecondsTests {
    let fixture: StoreFixture
    let file: DataFile

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        for id in ["a", "b"] { try fixture.save(id, #"{"n":1}"#, in: file) }
    }

    @Test(
        "can be any number", arguments: [1, 1e9, 1e300, .infinity, .nan, .greatestFiniteMagnitude])
    func large(_ seconds: Double) throws {
        let query = try Query("SELECT n FROM _")
        let rows = try file.read {
            try query.rows(in: $0, limits: QueryLimits(seconds: seconds)).all()
        }
        #expect(rows.count == 2)
    }

    @Test("that is not positive ends it at once", arguments: [0, -1, -1e300, -Double.infinity])
    func none(_ seconds: Double) throws {
        let query = try Query("SELECT n FROM _")
        let error = #expect(throws: StoreError.self) {
            try file.read { try query.rows(in: $0, limits: QueryLimits(seconds: seconds)).all() }
        }
        #expect(error?.code == StoreError.Code.queryLimitExceeded.rawValue)
    }

    @Test("a runaway query is ended by it, and the connection remains usable")
    func runaway() throws {
        try file.write { transaction in
            for number in 0..<300 {
                _ = try fixture.people.save("\(number)", in: transaction) {
                    try $0.writeJSON("{}")
                }
            }
        }
        let query = try Query("SELECT COUNT(*) FROM _ AS a, _ AS b, _ AS c, _ AS d")
        try file.read { snapshot in
            let error = #expect(throws: StoreError.self) {
                try query.rows(in: snapshot, limits: QueryLimits(seconds: 0.1)).all()
            }
            #expect(error?.code == StoreError.Code.queryLimitExceeded.rawValue)
            let count = try Query("SELECT COUNT(*) AS n FROM _")
            #expect(try count.rows(in: snapshot).all().map { $0["n"].int } == [302])
        }
    }
}

@Suite("JSON as a value of a query")
struct QueryValueJSONTests {
    @Test("can be of any kind, and comes back")
    func kinds() throws {
        for json in [
            "1", "-0.5", "true", "null", #""x""#, #""],[""#, "[]", #"{"a":[1,null]}"#,
            "18446744073709551615",
        ] {
            #expect(try QueryValue(json: json).json() == json)
            #expect(try QueryValue(json: " \n\t\(json) ").json() == json)
        }
        #expect(try QueryValue(json: "1") == 1)
        #expect(try QueryValue(json: "null").isNull)
    }

    @Test(
        "is one value",
        arguments: ["", " ", "1,2", "1],[2", "x", "[1", "{}{}", "1]", "nul", ",", "\"x"])
    func bad(_ json: String) {
        #expect(throws: FleeceError.self) { try QueryValue(json: json) }
    }
}

@Suite("A file after queries")
struct AskedFileTests {
    @Test("is closed completely: cached statements do not retain its connections")
    func closing() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", #"{"age":1}"#, in: file)
        let query = try Query("SELECT age FROM _ WHERE age = 1")
        try file.read { snapshot in
            #expect(try query.rows(in: snapshot).all().count == 1)
            _ = try query.explain(in: snapshot)
            _ = try query.adviseIndexes(in: snapshot)
        }
        file.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path)
        #expect(names == ["db.sqlite3"])
    }
}

@Suite("Plans and advice of one query")
struct OnePlanTests {
    @Test("a count of all documents reads the IDs, or the smallest index, in its plan")
    func count() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", #"{"age":1}"#, in: file)
        let query = try Query("SELECT COUNT(*) FROM _")
        func steps() throws -> [String] {
            try file.read { try query.explain(in: $0).steps.map(\.text) }
        }
        #expect(try steps() == ["scans the ID index of _"])
        try file.write {
            _ = try fixture.people.createIndex(.value("byAge", on: "age"), in: $0)
        }
        let all = "scans documents of _ in order using covering index byAge"
        #expect(try steps() == [all])
    }

    @Test("recommends a value index and an array index for one query")
    func both() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", #"{"age":1,"likes":["tea"]}"#, in: file)
        let query = try Query(
            "SELECT age FROM _ WHERE age = 1 AND ANY l IN likes SATISFIES l = 'tea' END")
        let advice = try file.read { try query.adviseIndexes(in: $0) }
        #expect(advice.map(\.index.name) == ["by_age", "by_likes"])
    }
}
