import Foundation
import StoreTestSupport
import Testing

@Suite("A connection with kvtool serve")
struct ServeConnectionTests {
    private let database: SampleDatabase
    private static let collection = "/people/_default"
    /// It counts 8 billion combinations, far more than in the time of a test.
    private static let slowQuery =
        #"{"query":"SELECT COUNT(*) FROM _ a JOIN _ b ON a.age >= 0 JOIN _ c ON b.age >= 0 "#
        + #"JOIN _ d ON c.age >= 0","seconds":600}"#

    init() throws {
        database = try SampleDatabase(people: 300)
    }

    private func request(
        _ served: ServedTool, _ line: String, _ body: String = "", token: String = ServedTool.token
    ) -> String {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\nX-Inspector: 1\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func slowQuery(_ served: ServedTool) throws -> Int32 {
        let line = "POST \(Self.collection)/query.json"
        return try served.open(request(served, line, Self.slowQuery))
    }

    @Test("is closed after the head of a stream, which would else be followed by its end")
    func heads() throws {
        let served = try ServedTool(database.path)
        for path in ["/people/changes", "\(Self.collection)/documents.json?limit=3"] {
            let file = try served.open(
                request(served, "HEAD \(path)") + request(served, "HEAD \(path)"))
            defer { close(file) }
            var text = ""
            while let part = ServedTool.receive(file), text.count(of: "HTTP/1.1 200") < 2 {
                text += String(decoding: part, as: UTF8.self)
            }
            let isStream = path.hasSuffix("changes")
            #expect(text.count(of: "HTTP/1.1 200 OK\r\n") == (isStream ? 1 : 2), "\(text)")
            #expect(text.hasSuffix("\r\n\r\n") && !text.contains("0\r\n\r\nHTTP"))
            #expect(!text.hasSuffix("\r\n\r\n0\r\n\r\n"))
        }
    }

    @Test("that is closed ends its query, and leaves three for others that take long")
    func slowQueries() throws {
        let served = try ServedTool(database.path)
        var files: [Int32] = []
        let count = #"{"query":"SELECT COUNT(*) AS n FROM _"}"#
        func status() throws -> Int {
            try served.send(
                "POST", "\(Self.collection)/query.json", ServedTool.changing, count
            ).status
        }
        var last = 0
        // A short query may take the place of a slow one, which is refused then: more are sent.
        for _ in 0..<600 where last != 429 {
            files.append(try slowQuery(served))
            last = try status()
        }
        #expect(last == 429)
        // Short ones are answered meanwhile.
        #expect(try served.get("/people/info.json").status == 200)
        for file in files { close(file) }
        for _ in 0..<600 where last != 200 {
            last = try status()
            if last != 200 { usleep(100_000) }
        }
        #expect(last == 200)
    }

    @Test("does not keep the server from ending")
    func interrupted() throws {
        let served = try ServedTool(database.path)
        let file = try slowQuery(served)
        defer { close(file) }
        // The query runs when a request after it is answered.
        #expect(try served.get("/people/info.json").status == 200)
        let start = ContinuousClock.now
        #expect(served.interrupt() == 130)
        // The query alone would take ten minutes.
        #expect(ContinuousClock.now - start < .seconds(300))
    }

    @Test("breaks off where a long answer fails, instead of ending it")
    func failures() throws {
        let served = try ServedTool(database.path)
        // More than 1 MiB comes at once; then the time is over before the last row.
        let query =
            #"{"query":"SELECT a, b FROM _ a JOIN _ b ON a.age >= 0 AND b.age > 70 UNION ALL "#
            + #"SELECT COUNT(*), 0 FROM _ a JOIN _ b ON a.age >= 0 JOIN _ c ON b.age >= 0 "#
            + #"JOIN _ d ON c.age >= 0","limit":100000,"seconds":1}"#
        let file = try served.open(
            request(served, "POST \(Self.collection)/query.json", query))
        defer { close(file) }
        var bytes = Data()
        while let part = ServedTool.receive(file) {
            bytes += part
            if bytes.suffix(5) == Data("0\r\n\r\n".utf8) { break }
        }
        let head = String(decoding: bytes.prefix(12), as: UTF8.self)
        let isWhole = bytes.suffix(5) == Data("0\r\n\r\n".utf8)
        // Where a second is not enough for 1 MiB, it is an error from the start.
        #expect(head != "HTTP/1.1 200" || !isWhole, "\(head), \(bytes.count) bytes")
    }

    #if os(Linux)
        /// The most memory that a process had so far, in bytes.
        private func peak(of process: Int32) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return try #require(kilobytes) << 10
        }

        @Test("needs memory for a part of an export, not for all of it")
        func exports() throws {
            let text = String(repeating: "0123456789abcdef", count: 1 << 16)
            try database.importing((0..<40).map { #"{"_id":"d\#($0)","text":"\#(text)"}"# })
                .success()
            let served = try ServedTool(database.path)
            #expect(try served.get("\(Self.collection)/document.json?id=d1").status == 200)
            let before = try peak(of: served.id)
            let file = try served.open(
                request(served, "GET \(Self.collection)/export?format=ndjson"))
            defer { close(file) }
            var (bytes, end) = (0, Data())
            while end != Data("0\r\n\r\n".utf8), let part = ServedTool.receive(file) {
                bytes += part.count
                end = (end + part).suffix(5)
            }
            #expect(bytes > 40 << 20)
            #expect(try peak(of: served.id) - before < 20 << 20)
        }
    #endif

    @Test("is not asked for a body without the token, and learns that a body is too large")
    func bodies() throws {
        let served = try ServedTool(database.path, "--writable")
        let line = "POST \(Self.collection)/import.json"
        let head =
            "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n"
            + "Expect: 100-continue\r\nContent-Length: 1000000\r\n\r\n"
        #expect(try served.answer(to: head).status == 401)
        let large = String(repeating: "{}\n", count: 23 << 20)
        #expect(try served.answer(to: request(served, line, large)).status == 413)
        let query = "POST \(Self.collection)/query.json"
        let text = String(repeating: " ", count: 2 << 20)
        #expect(try served.answer(to: request(served, query, text)).status == 413)
        #expect(try served.get("/people/info.json").status == 200)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
