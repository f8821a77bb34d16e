import Foundation
import StoreTestSupport
import Testing

@Suite("Unusual requests to kvtool serve")
struct ServeRequestTests {
    private let database: SampleDatabase
    private static let collection = "/people/_default"

    init() throws {
        database = try SampleDatabase(people: 20)
    }

    /// The beginning of a request, up to its own headers.
    private func head(_ served: ServedTool, _ line: String) -> String {
        "\(line)\r\nHost: 127.0.0.1:\(served.port)\r\nX-Inspector: 1\r\n"
            + "Authorization: Bearer \(ServedTool.token)\r\n"
    }

    @Test("purge no other document than that with the ID, whatever its characters are")
    func wildcards() throws {
        let served = try ServedTool(database.path, "--writable")
        for id in ["1\u{301}", "2\u{301}", "*\u{301}"] {
            try database.run("put", id, "{}").success()
        }
        // An asterisk with a combining mark is one character.
        let purged = try served.send(
            "DELETE", "\(Self.collection)/document.json?id=*%CC%81&purge=1")
        #expect(purged.status == 200, "\(purged.text)")
        #expect(try database.run("cat", "1\u{301}", "2\u{301}").success().status == 0)
        #expect(try database.run("cat", "--", #"\*"# + "\u{301}").status == 3)
        for id in ["*", #"\*"#] { try database.run("put", id, #"{"id":"own"}"#).success() }
        let read = try served.get("\(Self.collection)/document.json?id=*")
        #expect(read.text.contains(#""id":"*""#), "\(read.text)")
        let all = "\(Self.collection)/document.json?id=*&purge=1"
        #expect(try served.send("DELETE", all).status == 200)
        #expect(try database.run("cat", "--literal", #"\*"#).success().status == 0)
        #expect(try database.run("cat", "--literal", "*").status == 3)
    }

    @Test("to purge replace no revision that the client does not know, if they name one")
    func purges() throws {
        let served = try ServedTool(database.path, "--writable")
        let path = "\(Self.collection)/document.json?id=person-0001&purge=1"
        let headers = ServedTool.changing.merging(["If-Match": "\"1@*\""]) { _, new in new }
        #expect(try served.send("DELETE", path, headers).status == 412)
        #expect(try served.send("DELETE", path).status == 200)
    }

    @Test("are refused if a value is of another type, rather than run without it")
    func types() throws {
        let served = try ServedTool(database.path, "--writable")
        func post(_ name: String, _ body: String) throws -> ServedTool.Answer {
            try served.send("POST", "\(Self.collection)/\(name)", ServedTool.changing, body)
        }
        for rest in [#""limit":"10""#, #""seconds":{}"#, #""parameters":[1]"#, #""measure":1"#] {
            let answer = try post("query.json", #"{"query":"SELECT 1",\#(rest)}"#)
            #expect(answer.status == 422 && answer.message.contains("is not"), "\(rest)")
        }
        for rest in [#""kind":"vector""#, #""kind":"array""#, #""where":1"#] {
            let answer = try post("indexes.json", #"{"name":"x","expressions":"age",\#(rest)}"#)
            #expect(answer.status == 422, "\(rest): \(answer.text)")
        }
        #expect(try post("import.json?dry=yes", #"{"_id":"new"}"#).status == 422)
        #expect(try served.get("\(Self.collection)/document.json?id=new").status == 404)
        #expect(try served.get("\(Self.collection)/documents.json?seq=maybe").status == 422)
    }

    @Test("are answered with the reason of a failure, whatever the format of the answer is")
    func reasons() throws {
        let served = try ServedTool(database.path)
        let blob = try served.get("/people/blob?digest=none")
        #expect(blob.status == 422 && blob.message.contains("none"), "\(blob.text)")
        let export = try served.get("/people/none/export?format=csv")
        #expect(export.status == 404 && export.message.contains("none"), "\(export.text)")
        let token = try served.get("/people/info.json", [:])
        #expect(token.status == 401 && token.headers["WWW-Authenticate"] == "Bearer")
    }

    @Test("are refused with several names of the server")
    func hosts() throws {
        let served = try ServedTool(database.path)
        let request = head(served, "GET /people/info.json HTTP/1.1")
        #expect(try served.answer(to: "\(request)Connection: close\r\n\r\n").status == 200)
        let other = "Host: example.com\r\nConnection: close\r\n\r\n"
        #expect(try served.answer(to: request + other).status == 403)
    }

    @Test("are told to send a body that they announce, unless it is too large")
    func announced() throws {
        let served = try ServedTool(database.path)
        let request = head(served, "POST \(Self.collection)/query.json HTTP/1.1")
        let body = #"{"query":"SELECT COUNT(*) AS n FROM _"}"#
        let file = try served.open(
            "\(request)Connection: close\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n")
        defer { close(file) }
        let first = String(decoding: ServedTool.receive(file) ?? Data(), as: UTF8.self)
        #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(write(file, body, body.utf8.count) == body.utf8.count)
        var text = ""
        while let part = ServedTool.receive(file) { text += String(decoding: part, as: UTF8.self) }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains(#"{"n":20}"#), "\(text)")
        let large = try served.answer(to: "\(request)Content-Length: 1099511627776\r\n\r\n")
        #expect(large.status == 413)
    }

    @Test("for a list that lacks what is damaged are answered with it, and a warning")
    func warnings() throws {
        let blob = try database.run("blob put", "-", stdin: Data("content".utf8)).success().stdout
        try database.run("put", "with-blob", #"{"blob":\#(blob)}"#).success()
        let attachments = URL(filePath: database.path).appending(path: "Attachments")
        for name in try FileManager.default.contentsOfDirectory(atPath: attachments.path) {
            try FileManager.default.removeItem(at: attachments.appending(path: name))
        }
        let served = try ServedTool(database.path)
        let answer = try served.get("/people/blobs.json")
        #expect(answer.status == 200 && answer.text.contains("sha1-"), "\(answer.text)")
        let warning = answer.headers["X-Inspector-Warning"]?.removingPercentEncoding
        #expect(warning?.contains("missing") == true, "\(answer.headers)")
    }

    @Test("with an import that fails say where in the body, not in a file of the server")
    func imports() throws {
        let served = try ServedTool(database.path, "--writable")
        let answer = try served.send(
            "POST", "\(Self.collection)/import.json", ServedTool.changing, "{}\n{\n")
        #expect(answer.status == 400 && answer.message.contains("the body"), "\(answer.text)")
        #expect(!answer.text.contains("/kvtool-"))
    }

    @Test("of HTTP/1.0 are answered without chunks")
    func http10() throws {
        let served = try ServedTool(database.path)
        let answer = try served.answer(
            to: head(served, "GET /people/changes?since=never HTTP/1.0") + "\r\n")
        #expect(answer.status == 200 && answer.headers["transfer-encoding"] == nil)
        #expect(answer.text.hasPrefix(": open\n\ndata: {\"error\""), "\(answer.text)")
    }

    @Test("with a key need the right one, as long as one is needed")
    func keys() throws {
        try Kvtool.run(["encrypt", database.path, "--new-key", "open sesame"]).success()
        let served = try ServedTool(database.path)
        func unlock(_ body: String) throws -> Int {
            try served.send("POST", "/people/unlock.json", ServedTool.changing, body).status
        }
        #expect(try unlock("{}") == 422)
        #expect(try unlock(#"{"key":"wrong"}"#) == 403)
        #expect(try unlock(#"{"key":"open sesame"}"#) == 204)
        #expect(try unlock(#"{"key":"wrong"}"#) == 204)
        #expect(try served.get("/people/info.json").status == 200)
    }

    @Test("with a key need that of the database, whatever key others have")
    func ownKeys() throws {
        let other = database.path.replacing("people.cblite2", with: "assets.cblite2")
        try Kvtool.run(["cp", database.path, other]).success()
        try Kvtool.run(["encrypt", database.path, "--new-key", "open sesame"]).success()
        try Kvtool.run(["encrypt", other, "--new-key", "another one"]).success()
        let served = try ServedTool(database.path, other, "--key", "open sesame")
        #expect(try served.get("/people/info.json").status == 200)
        // Its own name would be that of the files of the pages.
        #expect(try served.get("/assets-2/info.json").status == 503)
        let unlocked = try served.send(
            "POST", "/assets-2/unlock.json", ServedTool.changing, #"{"key":"another one"}"#)
        #expect(unlocked.status == 204, "\(unlocked.text)")
        #expect(try served.get("/assets-2/info.json").status == 200)
    }
}
