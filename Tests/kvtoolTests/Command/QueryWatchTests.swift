import Foundation
import Testing

@Suite("kvtool query --watch")
struct QueryWatchTests {
    private let database: SampleDatabase
    private static let query = "SELECT META().id, age FROM _ WHERE age > 30 ORDER BY META().id"

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"ada","age":36}"#, #"{"_id":"bob","age":17}"#,
        ])
    }

    @Test("reports changes of another process row by row, until Ctrl-C")
    func rows() throws {
        let tool = try RunningTool(["query", database.path, Self.query, "--watch", "--ndjson"])
        #expect(
            tool.line()
                == #"{"change":"inserted","position":0,"id":"ada","row":{"id":"ada","age":36}}"#)
        try database.run("put", "bob", #"{"age":31}"#).success()
        #expect(
            tool.line()
                == #"{"change":"inserted","position":1,"id":"bob","row":{"id":"bob","age":31}}"#)
        try database.run("put", "ada", #"{"age":37}"#).success()
        #expect(
            tool.line()
                == #"{"change":"updated","position":0,"id":"ada","row":{"id":"ada","age":37}}"#)
        try database.run("rm", "ada").success()
        #expect(
            tool.line()
                == #"{"change":"removed","position":0,"id":"ada","row":{"id":"ada","age":37}}"#)
        let end = tool.interrupt()
        #expect(end.lines == [] && end.status == 130 && !end.isSignalled)
    }

    @Test("shows the table again")
    func table() throws {
        let tool = try RunningTool(["query", database.path, Self.query, "--watch"])
        let first = try #require(tool.lines(upTo: "ada"))
        #expect(first.count == 3 && first[0].hasPrefix("-- 1 row, 20"))
        #expect(Array(first[1...]) == ["id   age", "ada   36"])
        try database.run("rm", "ada").success()
        #expect(tool.line()?.hasPrefix("-- 0 rows, 20") == true)
        #expect(tool.interrupt().status == 130)
    }

    @Test("writes whole results as JSON")
    func json() throws {
        let tool = try RunningTool(["query", database.path, Self.query, "--watch", "--json"])
        #expect(
            tool.lines(upTo: #"],"count":1}"#) == [
                #"{"schema":"kvtool.query/1","columns":["id","age"],"rows":["#,
                #"{"id":"ada","age":36}"#, #"],"count":1}"#,
            ])
        #expect(tool.interrupt().status == 130)
    }
}
