import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool cat")
struct CatTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(lines: [
            #"{"_id":"a","n":1,"list":[true,null,{}],"name":{"first":"Zoë"}}"#, #"{"_id":"b"}"#,
            #"{"_id":"c","x":[]}"#,
        ])
    }

    @Test("writes a document with indentation")
    func pretty() throws {
        #expect(
            try database.run("cat", "a").success().stdout == """
                {
                  "_id": "a",
                  "n": 1,
                  "list": [
                    true,
                    null,
                    {}
                  ],
                  "name": {
                    "first": "Zoë"
                  }
                }

                """)
        #expect(try database.run("cat", "b").success().stdout == "{\n  \"_id\": \"b\"\n}\n")
    }

    @Test("writes one line with --raw")
    func raw() throws {
        #expect(
            try database.run("cat", "--raw", "a").success().stdout
                == #"{"_id":"a","n":1,"list":[true,null,{}],"name":{"first":"Zoë"}}"# + "\n")
    }

    @Test("writes revision, sequence and flags with --meta")
    func meta() throws {
        let revision = try #require(
            try database.run("ls").success().lines.last?.split(separator: " ")[1])
        #expect(
            try database.run("cat", "--raw", "--meta", "c").success().stdout
                == #"{"_id":"c","_rev":"\#(revision)","_sequence":3,"_flags":[],"x":[]}"# + "\n")
    }

    @Test("writes several documents in the requested order, each once")
    func several() throws {
        #expect(
            try database.run("cat", "--raw", "c", "b", "c", "?").success().lines
                .map { $0.prefix(10) } == [#"{"_id":"c""#, #"{"_id":"b""#, #"{"_id":"a""#])
    }

    @Test("a pattern without matches ends with 3, and does not match tombstones")
    func patterns() throws {
        #expect(
            try database.run("cat", "x*").refusal(status: 3)
                == "\(database.path): no document of the collection _default matches \"x*\"")
        try database.run("rm", "a").success()
        #expect(try database.run("cat", "?", "--raw").success().lines.count == 2)
        #expect(try database.run("cat", "?", "--raw", "--deleted").success().lines.count == 3)
        try database.run("cat", "a*").refusal(status: 3)
    }

    @Test("reports the missing document, ends with 7, and writes the others")
    func missing() throws {
        let outcome = try database.run("cat", "--raw", "b", "nope", "c", "B")
        #expect(outcome.status == 7)
        #expect(outcome.lines == [#"{"_id":"b"}"#, #"{"_id":"c","x":[]}"#])
        #expect(
            outcome.stderr == """
                kvtool: \(database.path): document "nope" is not in the collection _default
                kvtool: \(database.path): document "B" is not in the collection _default

                """)
    }

    @Test("shows the rest of a deleted document only with --deleted")
    func deleted() throws {
        try database.run("rm", "a").success()
        #expect(
            try database.run("cat", "a").refusal(status: 3)
                == database.path + #": document "a" is deleted; --deleted shows what is left of it"#
        )
        #expect(
            try database.run("cat", "--deleted", "--raw", "a").success().stdout
                == "{\"_id\":\"a\"}\n")
        let meta = try database.run("cat", "--deleted", "--raw", "--meta", "a").success().stdout
        #expect(meta.hasPrefix(#"{"_id":"a","_rev":""#))
        #expect(meta.hasSuffix(#"","_sequence":4,"_flags":["deleted"]}"# + "\n"))
    }

    @Test("writes JSON that other parsers can read", arguments: [[], ["--raw"], ["--meta"]])
    func valid(_ flags: [String]) throws {
        let outcome = try Kvtool.run(["cat", database.path, "a"] + flags).success()
        let object = try JSONSerialization.jsonObject(with: outcome.standardOutput)
        let document = try #require(object as? [String: Any])
        #expect(document["_id"] as? String == "a")
        #expect((document["name"] as? [String: String]) == ["first": "Zoë"])
    }

    @Test("distinguishes ids by their bytes, not by their appearance")
    func unicode() throws {
        try database.importing([#"{"_id":"\#u{E9}","n":1}"#, #"{"_id":"e\#u{301}","n":2}"#])
            .success()
        #expect(
            try database.run("cat", "--raw", "\u{E9}").success().stdout.hasSuffix("\"n\":1}\n"))
        #expect(
            try database.run("cat", "--raw", "e\u{301}").success().stdout.hasSuffix("\"n\":2}\n"))
    }
}
