import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("kvtool serve")
struct ServeTests {
    private let directory: TemporaryDirectory
    private var database: String { directory("people.cblite2") }

    init() throws {
        directory = try TemporaryDirectory()
        try Kvtool.run(["gen", "--count", "300", "--database", database]).success()
    }

    @Test("prints a URL whose page needs no token, while the data does")
    func token() throws {
        let served = try ServedTool(database)
        let page = try served.get("/people/_default/documents", [:])
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'self'") == true)
        for path in ["/databases.json", "/people/info.json", "/people/changes"] {
            #expect(try served.get(path, [:]).status == 401)
            #expect(try served.get(path, ["Authorization": "Bearer wrong"]).status == 401)
        }
        #expect(served.interrupt() == 130)
    }

    @Test("has all files of its pages, as they are in the sources, in at most 150 KiB")
    func files() throws {
        let served = try ServedTool(database)
        let directory = PackageDirectory.url.appending(path: "Sources/CInspectorPages/Web")
        let all = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let names = all.filter { $0.contains(".") }
        #expect(names.contains("index.html") && names.count > 15)
        let core = directory.appending(path: "core")
        let app = try served.get("/assets/app.js", [:])
        var parts = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: core.path) {
            let file = try Data(contentsOf: core.appending(path: name))
            #expect(app.body.range(of: file) != nil, "\(name)")
            parts += file.count
        }
        #expect(parts == app.body.count)
        var bytes = parts
        for name in names {
            let file = try Data(contentsOf: directory.appending(path: name))
            let answer = try served.get("/assets/\(name)", [:])
            #expect(answer.status == 200 && answer.body == file, "\(name)")
            bytes += file.count
        }
        #expect(bytes <= 150 << 10)
        #expect(try served.get("/assets/none.js", [:]).status == 404)
    }

    @Test("answers with the JSON that the commands print")
    func commands() throws {
        let served = try ServedTool(database)
        let pairs: [(String, [String])] = [
            ("/people/info.json", ["info", database]),
            ("/people/stat.json", ["stat", database]),
            ("/people/collections.json", ["lscoll", database]),
            ("/people/indexes.json", ["index", "ls", database]),
            ("/people/conflicts.json", ["resolve", database]),
            ("/people/_default/schema.json?limit=0", ["schema", database, "--sample", "0"]),
            (
                "/people/_default/document.json?id=person-0001",
                ["cat", database, "person-0001", "--deleted"]
            ),
            (
                "/people/_default/revisions.json?id=person-0001",
                ["revs", database, "person-0001", "--remotes"]
            ),
            (
                "/people/_default/documents.json?limit=3&after=person-0007&desc=1",
                ["ls", database, "--limit", "3", "--after", "person-0007", "--desc"]
            ),
        ]
        for (path, arguments) in pairs {
            let answer = try served.get(path)
            #expect(answer.status == 200, "\(path): \(answer.text)")
            #expect(
                answer.text == (try Kvtool.run(arguments + ["--json"]).success().stdout), "\(path)")
        }
        let missing = try served.get("/people/_default/document.json?id=nobody-here")
        #expect(missing.status == 404 && missing.message.contains("nobody-here"))
        #expect(try served.get("/people/nothing.json").status == 404)
        #expect(try served.get("/other/info.json").status == 404)
    }

    @Test("sends nothing again that the client has, and takes the tag for a change")
    func tags() throws {
        let served = try ServedTool(database, "--writable")
        func get(_ path: String, _ tag: String) throws -> ServedTool.Answer {
            let headers = ServedTool.authorized.merging(["If-None-Match": tag]) { _, new in new }
            return try served.get(path, headers)
        }
        let paths = [
            "/people/_default/document.json?id=person-0001", "/people/collections.json",
            "/people/_default/documents.json?limit=5",
        ]
        let tags = try paths.map { try #require(try served.get($0).headers["ETag"]) }
        #expect(Set(tags).count == 3)
        for (path, tag) in zip(paths, tags) {
            let same = try get(path, "\"other\", W/\(tag)")
            #expect(same.status == 304 && same.body.isEmpty && same.headers["ETag"] == tag)
        }
        let headers = ServedTool.changing.merging(["If-Match": tags[0]]) { _, new in new }
        let change = try served.send("PUT", paths[0], headers, "{}")
        #expect(change.status == 200, "\(change.text)")
        #expect(try served.send("PUT", paths[0], headers, "{}").status == 412)
        let other = try get(paths[0], tags[0])
        #expect(other.status == 200 && other.headers["ETag"] != tags[0])
    }

    @Test("lists documents page by page, after an ID, each once")
    func pages() throws {
        let served = try ServedTool(database)
        for order in ["", "&desc=1"] {
            var (ids, last) = ([String](), "")
            while true {
                let path = "/people/_default/documents.json?limit=70\(order)"
                let answer = try served.get(path + (last.isEmpty ? "" : "&after=\(last)"))
                let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
                let page = object?["documents"] as? [[String: Any]] ?? []
                ids += page.compactMap { $0["id"] as? String }
                guard page.count == 70, let end = ids.last else { break }
                last = end
            }
            #expect(ids.count == 300 && Set(ids).count == 300)
            #expect(ids == (order.isEmpty ? ids.sorted() : ids.sorted().reversed()))
        }
    }

    @Test("queries, explains, and reads no file for a query")
    func queries() throws {
        let served = try ServedTool(database)
        func post(_ name: String, _ body: String) throws -> ServedTool.Answer {
            try served.send("POST", "/people/_default/\(name)", ServedTool.changing, body)
        }
        let body = #"{"query":"SELECT COUNT(*) AS n FROM _ WHERE age > $a","parameters":{"a":0}}"#
        #expect(try post("query.json", body).text.contains(#"{"n":300}"#))
        #expect(try post("explain.json", body).text.contains(#""scansDocuments":true"#))
        let wrong = try post("query.json", #"{"query":"SELECT FROM"}"#)
        #expect(wrong.status == 400 && wrong.message.contains("line 1, column"))
        for text in ["@/etc/passwd", "-", ""] {
            #expect(try post("query.json", #"{"query":"\#(text)"}"#).status == 422)
        }
        // Nor is a parameter read from a file.
        for parameters in [#"{"v=@/etc/hostname#a":1}"#, #"{"v":"@/etc/hostname"}"#] {
            let read = #"{"query":"SELECT $v AS v FROM _ LIMIT 1","parameters":\#(parameters)}"#
            let answer = try post("query.json", read)
            #expect(
                answer.status == 422 || answer.text.contains(#""v":"@/etc/hostname""#),
                "\(answer.text)")
        }
        #expect(try post("query.json", "no JSON").status == 400)
        // A query that changes documents needs --writable.
        let change = try post("query.json", #"{"query":"DELETE FROM _ WHERE age > 0"}"#)
        #expect(change.status == 403 && change.message.contains("--writable"))
        let hidden = try post("query.json", #"{"query":"/**/ DELETE FROM _ WHERE age > 0"}"#)
        #expect(hidden.status == 403, "\(hidden.text)")
        #expect(try post("query.json", body).text.contains(#"{"n":300}"#))
    }
}

// Changes.
extension ServeTests {
    private static let document = "/people/_default/document.json?id=ada"

    private func put(
        _ served: ServedTool, _ body: String, _ headers: [String: String]
    ) throws -> ServedTool.Answer {
        try served.send(
            "PUT", Self.document, ServedTool.changing.merging(headers) { _, new in new }, body)
    }

    @Test("changes nothing without --writable, the header, and the revision that is replaced")
    func writes() throws {
        let reading = try ServedTool(database)
        let refused = try put(reading, "{}", ["If-None-Match": "*"])
        #expect(refused.status == 403 && refused.message.contains("--writable"))
        #expect(reading.interrupt() == 130)
        let served = try ServedTool(database, "--writable")
        let form = try served.send("PUT", Self.document, ServedTool.authorized, "{}")
        #expect(form.status == 403 && form.message.contains("X-Inspector"))
        #expect(try put(served, "{}", [:]).status == 428)
        #expect(try put(served, "{}", ["If-Match": "*"]).status == 428)
        #expect(try put(served, "@/etc/passwd", ["If-None-Match": "*"]).status == 422)
        #expect(try put(served, #"{"age":36}"#, ["If-None-Match": "*"]).status == 200)
        #expect(try put(served, #"{"age":37}"#, ["If-None-Match": "*"]).status == 412)
        #expect(try put(served, #"{"age":37}"#, ["If-Match": "\"1@*\""]).status == 412)
        let revisions = try served.get("/people/_default/revisions.json?id=ada")
        let object = try JSONSerialization.jsonObject(with: revisions.body) as? [String: Any]
        let revision = try #require(object?["vector"] as? String)
        #expect(try put(served, #"{"age":37}"#, ["If-Match": "\"\(revision)\""]).status == 200)
        #expect(
            try Kvtool.run(["cat", database, "ada", "--raw"]).success().stdout
                == #"{"_id":"ada","age":37}"# + "\n")
        let deleted = try served.send(
            "DELETE", Self.document,
            ServedTool.changing.merging(["If-Match": "\"\(revision)\""]) { _, new in new })
        #expect(deleted.status == 412)
    }

    @Test("creates, shows and deletes indexes, and imports")
    func indexes() throws {
        let served = try ServedTool(database, "--writable")
        let index = #"{"name":"byAge","expressions":"age"}"#
        let path = "/people/_default/indexes.json"
        #expect(try served.send("POST", path, ServedTool.changing, index).status == 200)
        #expect(try served.get("/people/index.json?name=byAge").text.contains(#""rows":300"#))
        #expect(try served.send("DELETE", "/people/index.json?name=byAge").status == 200)
        #expect(try served.get("/people/index.json?name=byAge").status == 404)
        let lines = #"{"_id":"a","n":1}"# + "\n" + #"{"_id":"b","n":2}"# + "\n"
        let imported = try served.send(
            "POST", "/people/_default/import.json", ServedTool.changing, lines)
        #expect(imported.status == 200, "\(imported.text)")
        #expect(try served.get("/people/_default/document.json?id=b").status == 200)
    }

    @Test("sends changes as they are committed, by other programs, too")
    func events() throws {
        let served = try ServedTool(database)
        let file = try served.open(
            "GET /people/_default/changes HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n"
                + "Authorization: Bearer \(ServedTool.token)\r\n\r\n")
        defer { close(file) }
        var text = ""
        func receive(upTo part: String) -> Bool {
            while !text.contains(part), let more = ServedTool.receive(file) {
                text += String(decoding: more, as: UTF8.self)
            }
            return text.contains(part)
        }
        #expect(receive(upTo: ": open"))
        // The command may begin after that, and then know nothing of an earlier change.
        for number in 1...200 where !text.contains("data: ") {
            try Kvtool.run(["put", database, "ada", #"{"n":\#(number)}"#]).success()
            var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, 500) > 0 { _ = receive(upTo: "data: ") }
        }
        #expect(text.contains(#""id":"ada""#), "\(text)")
    }
}

// What others try.
extension ServeTests {
    @Test("refuses other sites, and names that lead to this machine")
    func sites() throws {
        let served = try ServedTool(database)
        for host in ["evil.example", "evil.example:\(served.port)", "10.0.0.1", "[::2]:80", "["] {
            let headers = ServedTool.authorized.merging(["Host": host]) { _, new in new }
            #expect(try served.get("/people/info.json", headers).status == 403, "\(host)")
            #expect(try served.get("/", ["Host": host]).status == 403)
        }
        let origins = [
            "http://evil.example", "https://127.0.0.1:\(served.port)", "null",
            "http://127.0.0.1:1", "http://localhost:\(served.port)",
        ]
        for origin in origins {
            let headers = ServedTool.authorized.merging(["Origin": origin]) { _, new in new }
            #expect(try served.get("/people/info.json", headers).status == 403, "\(origin)")
        }
        let own = ["Host": "localhost:\(served.port)", "Origin": "http://localhost:\(served.port)"]
        let headers = ServedTool.authorized.merging(own) { _, new in new }
        #expect(try served.get("/people/info.json", headers).status == 200)
        // As through a tunnel with a port of its own.
        let tunnel = ["Host": "localhost:8123", "Origin": "http://localhost:8123"]
        let others = ServedTool.authorized.merging(tunnel) { _, new in new }
        #expect(try served.get("/people/info.json", others).status == 200)
    }

    @Test("answers to addresses of other machines where they may call, and to its own name only")
    func otherAddresses() throws {
        let served = try ServedTool(database, "--host", "127.0.0.1")
        let all = try ServedTool(database, host: "0.0.0.0")
        for (host, own, other) in [
            ("192.168.1.5:80", 403, 200), ("[fe80::1]:80", 403, 200), ("evil.example", 403, 403),
        ] {
            let headers = ServedTool.authorized.merging(["Host": host]) { _, new in new }
            #expect(try served.get("/people/info.json", headers).status == own, "\(host)")
            #expect(try all.get("/people/info.json", headers).status == other, "\(host)")
        }
    }

    @Test("survives bytes that are no request, and goes on")
    func badInput() throws {
        let served = try ServedTool(database)
        let host = "Host: 127.0.0.1:\(served.port)\r\n"
        let requests = [
            "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET /%zz HTTP/1.1\r\n\(host)\r\n",
            "GET /a%00b HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\r\n",
            "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\n\(host)\r\n",
            "POST / HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n",
            "GET / HTTP/1.1\r\n\(host)\(String(repeating: "A: b\r\n", count: 100_000))\r\n",
        ]
        for request in requests {
            let status = try served.answer(to: request).status
            #expect(status == 0 || (400..<500).contains(status), "\(request.prefix(40)): \(status)")
        }
        #expect(try served.get("/people/info.json").status == 200)
    }

    /// The status once clients that have gone no longer count, or after a minute.
    private func lastStatus(_ served: ServedTool) throws -> Int {
        var status = 0
        for _ in 0..<600 where status != 200 {
            status = try served.get("/people/info.json").status
            if status != 200 { usleep(100_000) }
        }
        return status
    }

    @Test("ends what clients that vanish have asked for")
    func vanished() throws {
        let served = try ServedTool(database)
        let request =
            "GET /people/changes HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n"
            + "Authorization: Bearer \(ServedTool.token)\r\n\r\n"
        let files = try (0..<64).map { _ in try served.open(request) }
        for file in files { #expect(ServedTool.receive(file) != nil) }
        #expect(try served.get("/people/info.json").status == 429)
        for file in files { close(file) }
        #expect(try lastStatus(served) == 200)
    }

    @Test("answers 200 connections at the same time, and no more than it may have")
    func connections() throws {
        let served = try ServedTool(database)
        let request =
            "GET /people/_default/document.json?id=person-0001 HTTP/1.1\r\n"
            + "Host: 127.0.0.1:\(served.port)\r\nAuthorization: Bearer \(ServedTool.token)\r\n\r\n"
        var files = try (0..<200).map { _ in try served.open("") }
        for file in files { #expect(write(file, request, request.utf8.count) > 0) }
        for file in files {
            let text = String(decoding: ServedTool.receive(file) ?? Data(), as: UTF8.self)
            // At most 64 commands run at the same time.
            let isAnswer = ["HTTP/1.1 200 ", "HTTP/1.1 429 "].contains { text.hasPrefix($0) }
            #expect(isAnswer, "\(text)")
        }
        // All are open; the 257th is closed.
        files += try (200..<256).map { _ in try served.open(request) }
        for file in files[200...] { #expect(ServedTool.receive(file) != nil) }
        let last = try served.open(request)
        var byte: UInt8 = 0
        // Not because it waits for too long.
        #expect(recv(last, &byte, 1, 0) <= 0 && errno != EAGAIN)
        for file in files + [last] { close(file) }
        #expect(try lastStatus(served) == 200)
    }

    @Test("shows an encrypted database once it has the key")
    func encrypted() throws {
        let secret = directory("secret.cblite2")
        try Kvtool.run(["cp", database, secret]).success()
        try Kvtool.run(["encrypt", secret, "--new-key", "open sesame"]).success()
        let served = try ServedTool(secret)
        #expect(try served.get("/databases.json").text.contains(#""locked":true"#))
        #expect(try served.get("/secret/info.json").status == 503)
        func unlock(_ key: String) throws -> Int {
            try served.send(
                "POST", "/secret/unlock.json", ServedTool.changing, #"{"key":"\#(key)"}"#
            ).status
        }
        #expect(try unlock("wrong") == 403)
        #expect(try unlock("open sesame") == 204)
        #expect(try served.get("/databases.json").text.contains(#""locked":false"#))
        #expect(try served.get("/secret/collections.json").text.contains(#""documents":300"#))
    }

    @Test("finds the databases of a directory, and explains wrong arguments")
    func arguments() throws {
        try Kvtool.run(["cp", database, directory("more.cblite2")]).success()
        let served = try ServedTool(directory.path)
        let list = try served.get("/databases.json").text
        #expect(list.contains(#""name":"more""#) && list.contains(#""name":"people""#))
        let missing = try Kvtool.run(["serve", directory("none.cblite2")])
        #expect(missing.refusal(status: 3).contains("does not exist"))
        #expect(
            try Kvtool.run(["serve", database, "--token", "short"]).refusal(status: 2)
                .contains("at least 16"))
        let taken = try Kvtool.run(["serve", database, "--port", "\(served.port)"])
        #expect(taken.refusal(status: 4).contains("cannot be used"))
    }
}
