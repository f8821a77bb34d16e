import StoreTestSupport
import Testing

@Suite("kvtool find")
struct FindTests {
    private func database() throws -> SampleDatabase {
        let database = try SampleDatabase(lines: [
            #"{"_id":"ada","name":{"first":"Ada"},"tags":["x",{"note":"see adamant"}],"n":42}"#,
            #"{"_id":"b","name":{"first":"Bob"},"ok":true}"#,
        ])
        try database.run("mkcoll", "hr.staff").success()
        try database.run("put", "c", #"{"boss":"ADA"}"#, "--collection", "hr.staff").success()
        return database
    }

    @Test("shows the path of each value that contains the text, in all collections")
    func paths() throws {
        let database = try database()
        #expect(
            try database.run("find", "ada", "--csv").success().lines == [
                "collection,id,path,value", "_default,ada,_id,ada", "_default,ada,name.first,Ada",
                "_default,ada,tags[1].note,see adamant", "hr.staff,c,boss,ADA",
            ])
        #expect(
            try database.run("find", "ada", "--case", "--csv").success().lines.count == 3)
        #expect(
            try database.run("find", "ADA", "--collection", "hr.staff", "--ndjson").success().lines
                == [#"{"collection":"hr.staff","id":"c","path":"boss","value":"ADA"}"#])
        #expect(try database.run("find", "see", "ada", "--csv").success().lines.count == 2)
        #expect(try database.run("find", "42", "--csv").success().lines.last == "_default,ada,n,42")
        #expect(
            try database.run("find", "true", "--csv").success().lines.last == "_default,b,ok,true")
        #expect(try database.run("find", "a", "--limit", "1", "--csv").success().lines.count == 2)
    }

    @Test("reports that the text is not found; without a text the status is 2")
    func nothing() throws {
        let database = try database()
        let nothing = try database.run("find", "nowhere")
        #expect(
            nothing.status == 0 && nothing.stdout.isEmpty && nothing.stderr == "(nothing found)\n")
        #expect(try database.run("find", "").status == 2)
        #expect(try database.run("find").status == 2)
    }

    @Test("shows the text around a match in tables")
    func excerpt() throws {
        let text = String(repeating: "ä", count: 100)
        let database = try SampleDatabase(lines: [#"{"_id":"a","t":"\#(text) Needle \#(text)"}"#])
        let around = String(repeating: "ä", count: 29)
        let table = try database.run("find", "needle").success().stdout
        #expect(table.contains("…\(around) Needle \(around)…\n"))
        let json = try database.run("find", "needle", "--ndjson").success().stdout
        #expect(json.contains("\(text) Needle \(text)"))
    }
}
