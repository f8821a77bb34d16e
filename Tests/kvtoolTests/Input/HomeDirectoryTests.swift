import Foundation
import StoreTestSupport
import Testing

import KVToolCore

@Suite("~/ in the shell")
struct HomeDirectoryTests {
    @Test(
        "is the home directory at the start of a path",
        arguments: [
            ("~/a", "/h/a"), ("~/", "/h/"), ("@~/a.json", "@/h/a.json"), ("~", "~"),
            ("~x/a", "~x/a"),
            ("a/~/b", "a/~/b"), ("", ""),
        ])
    func expanded(_ path: String, _ expected: String) {
        #expect(HomeDirectory.expanded(path, home: "/h") == expected)
        #expect(HomeDirectory.expanded(path, home: nil) == path)
        #expect(HomeDirectory.expanded(path, home: "") == path)
    }

    @Test("is expanded in paths of the shell's commands, but not in quoted words")
    func shell() throws {
        let database = try SampleDatabase(people: 2)
        _ = try database.newFile("q.sql", Data("SELECT COUNT(*) AS n FROM _".utf8))
        _ = try database.newFile("new.json", Data(#"{"n":1}"#.utf8))
        let lines = [
            ".open ~/people.cblite2", "query @~/q.sql", "put new @~/new.json",
            "export ~/all.ndjson", "ls > ~/list", "put '~/x' {}",
        ]
        let input = Data(lines.map { $0 + "\n" }.joined().utf8)
        let outcome = try Kvtool.run(
            ["shell", "--batch", "-w", database.path], stdin: input,
            environment: ["HOME": database.directory.path])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.lines.prefix(2) == ["n", "2"])
        let exported = try String(
            contentsOfFile: database.directory("all.ndjson"), encoding: .utf8)
        #expect(exported.hasPrefix(#"{"_id":"new","n":1}"#))
        let list = try String(contentsOfFile: database.directory("list"), encoding: .utf8)
        #expect(list.contains("person-0002"))
        #expect(try database.exported().last == #"{"_id":"~/x"}"#)
    }
}
