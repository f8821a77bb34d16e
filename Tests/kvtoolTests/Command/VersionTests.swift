import StoreTestSupport
import Testing

@Suite("kvtool version")
struct VersionTests {
    @Test("shows the versions of the tool and SQLite, and the file formats, in all formats")
    func version() throws {
        let number = try #require(try Kvtool.run(["--version"]).success().lines.first)
        let answer = try Kvtool.run(["version", "--json"]).success().answer()
        #expect(answer["schema"] as? String == "kvtool.version/1")
        #expect(answer["version"] as? String == number)
        #expect((answer["sqliteVersion"] as? String)?.hasPrefix("3.") == true)
        #expect(answer["oldestSchema"] as? Int == 201)
        #expect(answer["newestSchema"] as? Int == 599)
        #expect(answer["writtenSchema"] as? Int == 503)
        let versionings = answer.list("versionings")
        #expect(versionings.map { $0["versioning"] as? Int } == [0, 1, 2])
        #expect(versionings.map { $0["read"] as? Bool } == [true, true, true])
        #expect(versionings.map { $0["written"] as? Bool } == [false, true, true])
        let text = try Kvtool.run(["version"]).success().stdout
        #expect(text.hasPrefix("Version: \(number)\nSQLite:  3."))
        #expect(text.contains("Schemas: 201 to 599 are read, 503 is written\n"))
        #expect(try Kvtool.run(["-v"]).success().lines == [number])
    }

    @Test("the written schema is that of a new file")
    func written() throws {
        let info = try SampleDatabase(people: 1).run("info", "--json").success().answer()
        #expect(info["schemaVersion"] as? Int == 503)
        #expect(info["versioning"] as? Int == 2)
    }
}
