internal import DocumentStore
internal import KVToolCore
internal import NIOHTTP1
internal import Synchronization

/// Answers requests.
final class InspectorHandler: HTTPResponder {
    private let databases: [InspectedDatabase]
    private let settings: InspectorSettings
    private let access: AccessCheck
    private let run: CommandLineRunner
    private let running = Mutex(0)

    init(
        _ databases: [InspectedDatabase], _ settings: InspectorSettings, _ access: AccessCheck,
        _ run: @escaping CommandLineRunner
    ) {
        self.databases = databases
        self.settings = settings
        self.access = access
        self.run = run
    }

    func refusal(ofBodyOf request: HTTPRequest) -> HTTPResponse? {
        let refusal = access.refusal(of: request) ?? access.refusalOfData(to: request)
        return refusal.map { finished($0) }
    }

    func largestBody(of request: HTTPRequest) -> Int {
        let hasDocuments = ["document.json", "import.json", "resolve.json"]
            .contains(request.path.last)
        return hasDocuments ? settings.limits.documentBytes : settings.limits.bodyBytes
    }

    /// Sends the response, with the headers that all have.
    func respond(
        to request: HTTPRequest, _ send: (HTTPResponse) async throws -> Void
    ) async throws {
        if let refusal = access.refusal(of: request) { return try await send(finished(refusal)) }
        do {
            if let page = try page(request) { return try await send(finished(page)) }
            if let refusal = access.refusalOfData(to: request) {
                return try await send(finished(refusal))
            }
            if let own = try await own(request) { return try await send(finished(own)) }
            guard let (line, database) = try command(request) else {
                return try await send(finished(.error(.notFound, "there is nothing at this path")))
            }
            guard settings.isWritable || !line.isChange else {
                throw BadRequest(.forbidden, WriteProtection.refusal)
            }
            try await entered(database, isLong: line.isLong) {
                try await respond(to: request, with: line, of: database, send)
            }
        } catch let error as BadRequest {
            var response = HTTPResponse.error(error.status, error.message, exit: .usage)
            if let allowed = error.allowed { response.headers.add(name: "Allow", value: allowed) }
            try await send(finished(response))
        }
    }

    private func respond(
        to request: HTTPRequest, with line: RoutedCommand, of database: InspectedDatabase,
        _ send: (HTTPResponse) async throws -> Void
    ) async throws {
        let run = run
        let command = InspectorCommand(
            line, in: database.environment, stallSeconds: settings.limits.stallSeconds
        ) { arguments in
            database.keepOpen()
            return await run(arguments)
        }
        var response = await command.response()
        if line.isConditional, response.status == .conflict {
            response.status = .preconditionFailed
        }
        if response.status == .ok {
            if let name = line.fileName { response.save(as: name) }
        } else {
            for file in line.files { response.replace(file.path, with: "the body") }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await send(finished(response.tagged(for: request))))
        } catch {
            result = .failure(error)
        }
        await command.end()
        withExtendedLifetime(line.files) {}
        try result.get()
    }

    /// Counts a command while it runs.
    private func entered(
        _ database: InspectedDatabase, isLong: Bool, _ body: () async throws -> Void
    ) async throws {
        try enter(running, settings.limits.commands, "too many requests run")
        defer { running.withLock { $0 -= 1 } }
        guard isLong else { return try await body() }
        try enter(
            database.longCommands, settings.limits.longCommands,
            "\(settings.limits.longCommands) long requests of this database run; try again when "
                + "one of them has ended")
        defer { database.longCommands.withLock { $0 -= 1 } }
        try await body()
    }

    private func enter(
        _ count: borrowing Mutex<Int>, _ maximum: Int, _ refusal: String
    ) throws {
        let isIn = count.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard isIn else { throw BadRequest(.tooManyRequests, refusal) }
    }

    private func command(
        _ request: HTTPRequest
    ) throws -> (line: RoutedCommand, database: InspectedDatabase)? {
        guard (2...3).contains(request.path.count), let database = database(request.path[0])
        else { return nil }
        let collection = request.path.count == 3 ? request.path[1] : nil
        let route = Route(
            request: request, database: database.path, collection: collection,
            name: request.path.last ?? "")
        return try route.command().map { ($0, database) }
    }

    private func database(_ name: String) -> InspectedDatabase? {
        databases.first { $0.name == name }
    }

    /// The response with the headers of all.
    private func finished(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        let all = [
            (
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
            ("X-Inspector-Writable", settings.isWritable ? "1" : "0"),
        ]
        for (name, value) in all { response.headers.replaceOrAdd(name: name, value: value) }
        return response
    }
}

// What needs no command.
extension InspectorHandler {
    /// What needs no token: the description of the requests, the page for paths of views, or one of
    /// its files.
    private func page(_ request: HTTPRequest) throws -> HTTPResponse? {
        if request.path == ["openapi.json"] {
            guard request.isSafe else { throw BadRequest(allowed: [.GET, .HEAD]) }
            return InspectorPages.file("openapi.json")
        }
        guard request.isSafe else { return nil }
        if request.path.first == "assets", request.path.count == 2 {
            return InspectorPages.file(request.path[1])
                ?? .error(.notFound, "there is no such file")
        }
        if request.path == ["favicon.ico"] { return .error(.notFound, "there is no icon") }
        return isData(request.path) ? nil : InspectorPages.file("index.html")
    }

    /// Whether a path is one of data; all others are those of views.
    private func isData(_ path: [String]) -> Bool {
        guard path.count > 1, let name = path.last else { return path == ["databases.json"] }
        return name.hasSuffix(".json") || ["changes", "live", "export", "blob"].contains(name)
    }

    private func own(_ request: HTTPRequest) async throws -> HTTPResponse? {
        if request.path == ["databases.json"] {
            guard request.isSafe else { throw BadRequest(allowed: [.GET, .HEAD]) }
            return await list()
        }
        guard request.path.count == 2, request.path[1] == "unlock.json",
            let database = database(request.path[0])
        else { return nil }
        guard request.method == .POST else { throw BadRequest(allowed: [.POST]) }
        guard settings.isLoopback else {
            throw BadRequest(.forbidden, "a key is accepted from this machine only")
        }
        guard let key = try JSONBody.object(request.body)["key"]?.string else {
            throw BadRequest("the property key is missing, or is not a string")
        }
        let isRight = await onThread { database.unlock(key) }
        return isRight ? HTTPResponse(.noContent) : .error(.forbidden, "the key is wrong")
    }

    private func list() async -> HTTPResponse {
        let databases = databases
        let items = await onThread {
            databases.map { database in
                var item = JSONObject()
                item.add("name", database.name)
                item.add("path", database.path)
                item.add("locked", database.isLocked)
                return item.finished()
            }
        }
        var object = JSONObject()
        object.add("schema", OutputSchema.name("serve"))
        object.add("version", settings.version)
        object.add("writable", settings.isWritable)
        object.add("databases", items)
        return HTTPResponse(.ok, .bytes(object.finished().utf8))
    }

    /// To open a database can take long, and other requests must not wait for it.
    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await Task(executorPreference: DedicatedThread()) { body() }.value
    }
}
