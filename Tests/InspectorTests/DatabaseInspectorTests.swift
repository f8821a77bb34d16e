import DocumentStore
import Foundation
import Inspector
import ProjectTestSupport
import SQLPlus
import StoreTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("DatabaseInspector")
struct DatabaseInspectorTests {
    private let directory: TemporaryDirectory
    private let people: DocumentCollection

    init() throws {
        directory = try TemporaryDirectory()
        people = DocumentCollection(try CollectionName("people"))
    }

    /// A database with options that commands of kvtool do not have, which handles must share.
    private func open(_ name: String = "people.cblite2", key: String? = nil) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.cacheKilobytes = 2048
        options.readers = 2
        options.encryption = try key.map { try EncryptionKey($0) }
        let file = try DataFile(path: directory(name), options: options)
        try file.write { transaction in
            try people.create(in: transaction)
            _ = try people.save("ada", in: transaction) { try $0.encode(["age": 36]) }
        }
        return file
    }

    /// Asks an inspector, whose URL has the token behind the port.
    private func ask(
        _ inspector: DatabaseInspector, _ path: String, method: String = "GET", body: String? = nil,
        _ headers: [String: String] = [:]
    ) async throws -> (status: Int, text: String) {
        let parts = inspector.url.components(separatedBy: "/#token=")
        var request = URLRequest(url: try #require(URL(string: parts[0] + path)))
        request.httpMethod = method
        // The server's task may begin after those of all other tests.
        request.timeoutInterval = 7200
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(parts[1])", forHTTPHeaderField: "Authorization")
        request.setValue("1", forHTTPHeaderField: "X-Inspector")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return (status, String(decoding: data, as: UTF8.self))
    }

    /// Runs `body` while an inspector serves.
    private func serving(
        _ inspector: DatabaseInspector, _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await inspector.serve() }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test("shows what the application has written, and goes on while it writes")
    func reads() async throws {
        let file = try open()
        let inspector = try await DatabaseInspector(file)
        try await serving(inspector) {
            let document = "/people/people/document.json?id=ada"
            #expect(try await ask(inspector, document).text.contains(#""body":{"age":36}"#))
            try await file.write {
                _ = try people.save("ada", in: $0) { try $0.encode(["age": 37]) }
            }
            #expect(try await ask(inspector, document).text.contains(#""body":{"age":37}"#))
            let change = try await ask(
                inspector, document, method: "PUT", body: "{}", ["If-None-Match": "*"])
            #expect(change.status == 403)
        }
        // The application's handle is open, whatever the inspector has closed.
        #expect(try await file.read { try people.get("ada", in: $0)?["age"]?.int } == 37)
    }

    @Test("changes documents if it may, on the handle's options")
    func writes() async throws {
        let file = try open()
        let inspector = try await DatabaseInspector(file, isWritable: true)
        try await serving(inspector) {
            let answer = try await ask(
                inspector, "/people/people/document.json?id=bob", method: "PUT",
                body: #"{"age":5}"#, ["If-None-Match": "*"])
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(try await file.read { try people.get("bob", in: $0)?["age"]?.int } == 5)
    }

    @Test("shows an encrypted database with the key of its handle, and several of one name")
    func encrypted() async throws {
        try FileManager.default.createDirectory(
            atPath: directory("other"), withIntermediateDirectories: true)
        let (plain, secret) = (try open(), try open("other/people.cblite2", key: "open sesame"))
        let inspector = try await DatabaseInspector(plain, secret)
        try await serving(inspector) {
            let list = try await ask(inspector, "/databases.json").text
            #expect(list.contains(#""name":"people""#) && list.contains(#""name":"people-2""#))
            #expect(!list.contains(#""locked":true"#))
            let document = try await ask(inspector, "/people-2/people/document.json?id=ada")
            #expect(document.text.contains(#""body":{"age":36}"#))
        }
    }

    @Test("refuses databases in memory, short tokens and addresses that are in use")
    func refusals() async throws {
        let memory = try DataFile(inMemory: DataFileOptions(access: .create))
        func error(_ body: () async throws -> DatabaseInspector) async -> StoreError? {
            do {
                _ = try await body()
                return nil
            } catch {
                return error as? StoreError
            }
        }
        let file = try open()
        #expect(await error { try await DatabaseInspector(memory) }?.has(.invalidParameter) == true)
        #expect(
            await error { try await DatabaseInspector(file, token: "short") }?.message
                .contains("16 letters and digits") == true)
        #expect(
            await error { try await DatabaseInspector(file, token: "correct horse battery staple") }
                != nil)
        let first = try await DatabaseInspector(file)
        let port = try #require(URL(string: first.url)?.port)
        #expect(
            await error { try await DatabaseInspector(file, port: port) }?.message
                .contains("port \(port) cannot be used") == true)
    }

    /// Whether something accepts connections at a port.
    private func isOpen(_ port: Int) -> Bool {
        guard let file = Loopback.connected(to: port) else { return false }
        close(file)
        return true
    }

    @Test("closes its port if it is dropped, with clients that wait for an answer")
    func dropped() async throws {
        let file = try open()
        var inspector: DatabaseInspector? = try await DatabaseInspector(file)
        let port = try #require(inspector.flatMap { URL(string: $0.url)?.port })
        for _ in 0..<5 { #expect(isOpen(port)) }
        inspector = nil
        var isStillOpen = true
        for _ in 0..<600 where isStillOpen {
            isStillOpen = isOpen(port)
            if isStillOpen { try await Task.sleep(for: .milliseconds(100)) }
        }
        #expect(!isStillOpen && inspector == nil)
    }

    @Test("ends although a query runs, and clients come meanwhile")
    func cancelled() async throws {
        let file = try open()
        try await file.write { transaction in
            for number in 0..<300 {
                _ = try people.save("p\(number)", in: transaction) { try $0.encode(["n": number]) }
            }
        }
        let inspector = try await DatabaseInspector(file)
        let port = try #require(URL(string: inspector.url)?.port)
        let query =
            #"{"query":"SELECT COUNT(*) FROM people a JOIN people b ON a.n != b.x JOIN people c "#
            + #"ON b.n != c.x JOIN people d ON a.n != d.x","seconds":600}"#
        let start = ContinuousClock.now
        let serving = Task { await inspector.serve() }
        // It is interrupted, with the connection. It is not cancelled itself: URLSession can wait
        // for ever if it is at the moment at which the connection ends.
        let asking = Task {
            _ = try? await ask(
                inspector, "/people/people/query.json", method: "POST", body: query)
        }
        _ = try await ask(inspector, "/people/info.json")
        serving.cancel()
        while isOpen(port), ContinuousClock.now - start < .seconds(300) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        await serving.value
        await asking.value
        // The query alone would take ten minutes.
        #expect(ContinuousClock.now - start < .seconds(300))
        #expect(try await file.read { try people.get("ada", in: $0)?["age"]?.int } == 36)
    }
}
